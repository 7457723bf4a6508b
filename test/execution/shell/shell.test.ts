import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { createRuntime } from "../../../src/runtime/create.ts";
import { cleanUp } from "../../clean-up.ts";
import { contract } from "../contract.ts";
import { gate } from "../../gate.ts";
import type { LiveShell } from "../../../src/platform/shell/shells.ts";
import { hostProcesses } from "../../../src/platform/process/host-processes.ts";
import { sized } from "../../sized.ts";
import { steeredClock } from "../../steered-clock.ts";
import { until } from "../../until.ts";
import { isThere, living, memoryMb, uniqueSeconds } from "../world.ts";
import { seat, startAlteredShells, startShells } from "./shells.ts";

contract("the shell executor", (options) => {
  const { executor } = startShells(options);
  return {
    executor,
    // Commands of one session wait for each other: each has a session of its own.
    run: (command, limits, options = {}) => seat(executor).run(command, { limits, ...options }),
  };
}, { atOnce: sized(15, 100) });

describe("the shell of a session", () => {
  const { executor } = startShells();
  cleanUp(() => executor.close());

  const LIMITED = {
    "a loop of builtins": "while :; do :; done",
    "a child that ignores TERM": (what: string) => `(trap '' TERM; ${what})`,
    "a stopped child": (what: string) => `${what} & kill -STOP $!; wait`,
    "a pipeline": (what: string) => `${what} | ${what}`,
    "a shell that ignores INT": (what: string) => `trap '' INT; ${what}`,
    "a line that goes on": (what: string) => `${what}; echo not this`,
  } as const;
  for (const [name, command] of Object.entries(LIMITED)) {
    it(`is there for the next command after a limit has ended ${name}`, async () => {
      // Slow, so that the shell has time to obey.
      const { executor } = startShells({ clock: steeredClock(0.1), graceMs: 50 });
      cleanUp(() => executor.close());
      const shell = seat(executor);
      await shell.done("cd /usr; export kept=1");
      const what = `sleep ${uniqueSeconds()}`;
      const line = typeof command === "string" ? command : command(what);
      const stopped = await shell.done(line, { limits: { timeoutMs: 20 } });
      assert.deepEqual(stopped.exited.outcome, { type: "timedOut", limitMs: 20 });
      assert.equal(stopped.exited.shell?.reset?.reason, "it was ended with its command");
      assert.doesNotMatch(stopped.text, /not this/);
      const next = await shell.done("pwd; echo $kept");
      assert.equal(next.text, "/usr\n1\n");
      assert.deepEqual(living(what), []);
    });
  }

  it("says what was lost to the first command that begins, not to one that is wanted no more", async () => {
    const shell = seat(executor);
    await shell.done("kept=1");
    executor.release?.(shell.id, "idle");
    const unwanted = shell.run("echo unwanted");
    unwanted.unsubscribe();
    assert.ok(shell.free(), "it does not wait until the shell is ready");
    const next = shell.run("echo $kept");
    await next.exited;
    const [started] = next.events;
    assert.ok(started?.type === "execution.started");
    assert.equal(started.reset?.reason, "it was idle");
    assert.deepEqual([unwanted.events, next.text()], [[], "\n"]);
  });

  it("gets one signal to end, whoever asks for that on hearing of it", async () => {
    const label = `shellflow-asked-${process.pid}-`;
    const real = hostProcesses(label);
    const sent: string[] = [];
    const mine = startShells({
      runtimeId: label,
      graceMs: 60_000,
      processes: {
        ...real,
        signal: (to, name) => {
          sent.push(`${name} ${to.pid}`);
          return real.signal(to, name);
        },
      },
    });
    cleanUp(() => mine.executor.close());
    const shell = seat(mine.executor);
    await shell.done("export kept=1");
    const stop = (id: string) => mine.executor.send(id, { type: "stop", by: "stop" });
    const driven = shell.run("echo $$; while :; do :; done", {
      onEvent: ({ type }, id) => void (type === "execution.stopping" && stop(id)),
    });
    await until(() => driven.text().endsWith("\n"));
    stop(driven.commandId);
    await driven.exited;
    const toShell = sent.filter((it) => it === `SIGTERM ${driven.text().trim()}`);
    assert.equal(toShell.length, 1);
    assert.equal((await shell.done("echo $kept")).text, "1\n");
  });

  it("is woken, or replaced, where it does not hear", async () => {
    const shell = seat(executor);
    const pid = Number((await shell.done("echo $$")).text);
    process.kill(pid, "SIGSTOP");
    const { outcome } = (await shell.done("echo a", { limits: { timeoutMs: 20 } })).exited;
    assert.equal(outcome.type, "timedOut");
    assert.equal((await shell.done("echo b")).text, "b\n");
  });

  it("has nothing of a command whose order could not be written", async () => {
    const alter = (live: LiveShell) => ({
      send: (order: string, number: number) => {
        if (order.includes("too long")) throw new Error("no space left");
        live.send(order, number);
      },
    });
    const mine = startAlteredShells("shellflow-unwritten-", alter, { graceMs: 50 });
    cleanUp(() => mine.executor.close());
    const shell = seat(mine.executor);
    await shell.done("echo a");
    const failed = shell.run("echo too long");
    await until(() => failed.events.some(({ type }) => type === "execution.failed"));
    assert.equal((await shell.done("sleep 0.3; echo survived")).text, "survived\n");
  });

  it("is another one after one that could not be given its first order", async () => {
    let full = true;
    const alter = (live: LiveShell) => ({
      send: (order: string, number: number) => {
        if (full) throw new Error("no space left");
        live.send(order, number);
      },
    });
    const mine = startAlteredShells("shellflow-unbegun-", alter, { graceMs: 50 });
    cleanUp(() => mine.executor.close());
    const shell = seat(mine.executor);
    const failed = shell.run("echo a");
    await until(() => failed.events.some(({ type }) => type === "execution.failed"));
    full = false;
    assert.equal((await shell.done("echo b")).text, "b\n");
  });

  it("passes a signal on to who has started since the table of processes was read", async () => {
    const label = "shellflow-since-";
    const real = hostProcesses(label);
    let read = real.table(true);
    const mine = startShells({
      runtimeId: label,
      // As old as one that took the system long to read.
      processes: { ...real, table: (fresh) => read = fresh ? real.table(true) : read },
    });
    cleanUp(() => mine.executor.close());
    const what = `sleep ${uniqueSeconds()}`;
    const driven = seat(mine.executor).run(what);
    await until(() => living(what).length > 0);
    mine.executor.send(driven.commandId, { type: "signal", signal: "SIGTERM" });
    const { outcome } = await driven.exited;
    assert.deepEqual(outcome, {
      type: "signaled",
      signal: "SIGTERM",
      by: "user",
      coreDump: false,
    });
  });

  it("is another one, with its directory and exports, when it does not give a command up", async () => {
    const shell = seat(executor);
    await shell.done("cd /usr; export kept=1; lost=1");
    const driven = shell.run("trap '' TERM; echo ready; while :; do :; done");
    await until(() => driven.text() !== "");
    executor.send(driven.commandId, { type: "stop", by: "stop" });
    assert.equal((await driven.exited).outcome.type, "signaled");
    const next = await shell.done("pwd; echo $kept ${lost-gone}");
    assert.equal(next.text, "/usr\n1 gone\n");
  });

  it("stays with a command that goes to the background, and its session has another one", async () => {
    const shell = seat(executor);
    const { wait, open } = gate();
    const { text: pid } = await shell.done("cd /usr; export kept=1; lost=1; echo $$");
    const promoted = shell.run(`cd /tmp; export kept=2; ${wait}; echo $$`);
    executor.release?.(shell.id, "promoted");
    const next = await shell.done("pwd; echo $kept ${lost-gone}");
    assert.equal(next.text, "/usr\n1 gone\n");
    open();
    const { shell: after, outcome } = await promoted.exited;
    assert.deepEqual([promoted.text(), after, outcome], [pid, undefined, {
      type: "exited",
      code: 0,
    }]);
    await until(() => !isThere(Number(pid)));
    assert.equal((await shell.done("pwd; echo $kept")).text, "/usr\n1\n");
  });

  it("keeps what a command has started in the background when a later one is stopped", async () => {
    const shell = seat(executor);
    const what = `sleep ${uniqueSeconds()}`;
    const first = shell.run(`${what} &`);
    await first.exited;
    const second = shell.run("sleep 30");
    executor.send(second.commandId, { type: "stop", by: "stop" });
    await second.exited;
    await until(() => living(what).length === 1);
    assert.equal((await shell.done("jobs -r | wc -l")).code, 0);
    executor.send(first.commandId, { type: "stop", by: "stop" });
    await first.completed;
    assert.deepEqual(living(what), []);
  });

  it("makes a command wait for a slow reader, without keeping what it does not take", async () => {
    const shell = seat(executor);
    const driven = shell.run("head -c 300000000 /dev/zero | tr '\\0' x; echo done");
    driven.demand().pause();
    const before = memoryMb();
    await seat(executor).done("sleep 0.3");
    assert.ok(driven.bytes().length < 200_000);
    assert.ok(memoryMb() - before < 50);
    driven.demand().end();
    assert.equal((await driven.exited).outcome.type, "outputLimited");
    assert.equal((await shell.done("echo next")).text, "next\n");
  });

  it("gives variables and a directory to one command alone", async () => {
    const shell = seat(executor);
    await shell.done("cd /usr; export a=1; b=2");
    const options = { overrides: { a: "x", b: "y", c: "z" }, cwd: "/tmp" };
    const own = await shell.done("pwd; echo $a $b $c; env | grep -c '^[abc]='", options);
    assert.equal(own.text, "/tmp\nx y z\n3\n");
    const next = await shell.done("pwd; echo $a $b ${c-unset}; env | grep '^[abc]='");
    assert.equal(next.text, "/usr\n1 2 unset\na=1\n");
  });

  it("reports a state that is longer than a pipe holds", async () => {
    const shell = seat(executor);
    const long = "for i in {1..8}; do export long_$i=$(head -c 10000 /dev/zero | tr '\\0' x); done";
    const { exited } = await shell.done(`${long}; f() { :; }`);
    assert.equal(exited.shell?.state.variables?.length, 8);
    assert.deepEqual(exited.shell?.state.functions, ["f"]);
    assert.equal((await shell.done("echo ${#long_8}; exit 3")).text, "10000\n");
    assert.equal((await shell.done("echo ${#long_8}")).text, "10000\n");
  });

  it("closes although a shell holds the output of a command", async () => {
    const mine = startShells();
    const shell = seat(mine.executor);
    const first = shell.run("exec 3>&1");
    await first.exited;
    await shell.done("echo to the first >&3");
    await mine.executor.close();
    await first.completed;
    assert.equal(first.text(), "to the first\n");
  });

  it("never sees a command that was aborted before", async () => {
    const scratch = mkdtempSync(join(tmpdir(), "shellflow-aborted-"));
    cleanUp(() => rmSync(scratch, { recursive: true, force: true }));
    const file = join(scratch, "ran");
    const runtime = await createRuntime({ mode: "bypass", defaultExecutor: "shell" });
    cleanUp(() => runtime.close());
    const options = { sessionId: "s", signal: AbortSignal.abort() };
    const { outcome } = await runtime.run(`touch ${file}`, options);
    assert.deepEqual(outcome, { type: "aborted", by: "abort" });
    // While another one runs, too.
    const running = runtime.start("sleep 0.1", { sessionId: "s" });
    const waiting = runtime.start(`touch ${file}`, { sessionId: "s" });
    waiting.stop("abort");
    await running.result;
    assert.deepEqual((await waiting.result).outcome, { type: "aborted", by: "abort" });
    await runtime.run("true", { sessionId: "s" });
    assert.ok(!existsSync(file));
  });
});
