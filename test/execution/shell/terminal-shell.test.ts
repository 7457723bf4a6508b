import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { ExecutionFellBack } from "../../../src/event/execution.ts";
import { executorsByKind } from "../../../src/execution/executors-by-kind.ts";
import type { Executor } from "../../../src/execution/executor.ts";
import { hostShells } from "../../../src/platform/shell/host-shells.ts";
import { hostTerminals } from "../../../src/platform/terminal/host-terminals.ts";
import { loadPty } from "../../../src/platform/terminal/load-pty.ts";
import { loadEmulator } from "../../../src/screen/emulator.ts";
import { cleanUp } from "../../clean-up.ts";
import { scratch } from "../../event/scratch.ts";
import { steeredClock } from "../../steered-clock.ts";
import { until } from "../../until.ts";
import { contract } from "../contract.ts";
import type { Driven } from "../drive.ts";
import { processSubject } from "../process-subject.ts";
import { living, uniqueSeconds } from "../world.ts";
import { seat, startShells } from "./shells.ts";

const load = async () => ({
  terminals: hostTerminals(await loadPty()),
  createEmulator: await loadEmulator(),
});
const terminal = { columns: 80, rows: 24 };

contract("the shell executor on terminals", (options) => {
  const { executor } = startShells({ ...options, load });
  return {
    executor,
    run: (command, limits, options) =>
      // Bytes pass as they are, and a hang-up ends nothing, unlike on others.
      seat(executor).run(`trap '' HUP; stty -echo -opost; ${command}`, {
        limits,
        terminal,
        ...options,
      }),
  };
}, { atOnce: 20, terminal: true, ending: ["SIGHUP", "SIGTERM"] });

describe("a shell that cannot be had on a terminal", () => {
  const table = (options: Parameters<typeof startShells>[0] = {}): Executor => {
    const { executor: shell } = startShells({ load, ...options });
    const { executor: process } = processSubject()();
    const executor = executorsByKind({
      kinds: { process, shell, terminalShell: shell },
    });
    cleanUp(() => executor.close());
    return executor;
  };
  const fell = ({ events }: Driven) =>
    events.filter((event): event is ExecutionFellBack => event.type === "execution.fellBack")
      .map(({ from, to, reason }) => [from, to, reason]);

  it("is one over pipes, with what the session has", async () => {
    const reason = "Cannot open a terminal: none is left";
    const shell = seat(table({ load: () => Promise.reject(new Error(reason)) }));
    const first = shell.run("export A=1; b=2", { terminal });
    await first.exited;
    assert.deepEqual(fell(first), [["terminalShell", "shell", reason]]);
    assert.equal(
      (await shell.done("echo $A $b; test -t 1; echo $?", { terminal })).text,
      "1 2\n1\n",
    );
  });

  it("is one over pipes where the first does not report in time, which is ended", async () => {
    const clock = steeredClock();
    const shell = seat(table({ clock }));
    // What is no bash, but runs a line like one.
    const seconds = uniqueSeconds();
    const file = join(scratch(), "slow-bash");
    writeFileSync(file, `#!/bin/bash\n[[ $* != *-i ]] || exec sleep ${seconds}\nexec bash "$@"\n`);
    chmodSync(file, 0o755);
    await shell.done("export A=1; b=2", { file });
    const slow = shell.run("echo $A $b", { terminal, file });
    await until(() => living(`sleep ${seconds}`).length === 1);
    clock.forward(5_000);
    await slow.exited;
    assert.equal(slow.text(), "1 2\n");
    const reason = `Cannot keep "${file}" on a terminal: it was not ready within 5 seconds`;
    assert.deepEqual(fell(slow), [["terminalShell", "shell", reason]]);
    await until(() => living(`sleep ${seconds}`).length === 0);
  });

  it("is another one after one that was not used any more while it was started", async () => {
    const executor = table();
    const shell = seat(executor);
    await shell.done("true", { terminal });
    executor.release?.(shell.id, "idle");
    const file = join(scratch(), "slow-bash");
    const seconds = uniqueSeconds();
    writeFileSync(file, `#!/bin/sh\nexec sleep ${seconds}\n`);
    chmodSync(file, 0o755);
    const unused = shell.run("echo unused", { terminal, file });
    await until(() => living(`sleep ${seconds}`).length === 1);
    unused.unsubscribe();
    executor.release?.(shell.id, "idle");
    const next = shell.run("echo next", { terminal });
    await next.exited;
    assert.deepEqual([next.text(), fell(next)], ["next\r\n", []]);
    await until(() => living(`sleep ${seconds}`).length === 0);
  });

  for (const end of ["session", "executor"] as const) {
    it(`is not started where its ${end} ends while terminals are loaded`, async () => {
      let loadNow = () => {};
      const parts = new Promise<void>((resolve) => loadNow = resolve).then(load);
      const real = hostShells("shellflow-test-late");
      let starts = 0;
      const executor = table({
        load: () => parts,
        shells: { ...real, start: (...given) => (starts++, real.start(...given)) },
      });
      const shell = seat(executor);
      const late = shell.run("echo late", { terminal });
      late.unsubscribe();
      if (end === "session") executor.release?.(shell.id, "closed");
      else await executor.close();
      loadNow();
      await parts;
      await pause(0);
      assert.equal(starts, 0);
      assert.equal(shell.free(), end === "session", "none starts after the end of its executor");
    });
  }

  /** What is no bash, but runs a line like one: on a terminal not before there is a file, and then so. */
  const waitingBash = (then = 'exec bash "$@"') => {
    const directory = scratch();
    const file = join(directory, "bash");
    const [pid, go] = [join(directory, "pid"), join(directory, "go")];
    const wait = `echo $$ > ${pid}; until [ -e ${go} ]; do sleep 0.01; done; ${then}`;
    writeFileSync(file, `#!/bin/bash\ncase "$*" in *-i) ${wait} ;; *) exec bash "$@" ;; esac\n`);
    chmodSync(file, 0o755);
    return {
      file,
      over: join(directory, "over"),
      started: () => existsSync(pid) && readFileSync(pid, "latin1").endsWith("\n"),
      gone: () => !existsSync(`/proc/${readFileSync(pid, "latin1").trim()}`),
      go: () => writeFileSync(go, ""),
    };
  };
  const untilFile = (file: string) => `until [ -e ${file} ]; do sleep 0.01; done`;

  it("takes nothing from the next command where the one that asked for it was cancelled", async () => {
    const shell = seat(table());
    const { file, over, started, gone, go } = waitingBash();
    await shell.done("a=1", { file });
    const cancelled = shell.run("echo cancelled", { terminal, file });
    await until(started);
    cancelled.unsubscribe();
    const next = shell.run(`echo begun; ${untilFile(over)}; echo $a`, { file });
    await until(() => next.text() === "begun\n");
    go();
    await Promise.race([next.exited, until(gone)]);
    writeFileSync(over, "");
    assert.deepEqual((await next.exited).outcome, { type: "exited", code: 0 });
    assert.equal(next.text(), "begun\n1\n");
  });

  it("takes nothing of what the next command left, either", async () => {
    const shell = seat(table());
    const { file, started, gone, go } = waitingBash();
    await shell.done("a=1", { file });
    const cancelled = shell.run("echo cancelled", { terminal, file });
    await until(started);
    cancelled.unsubscribe();
    await shell.done("a=2; export b=3", { file });
    go();
    await until(gone);
    assert.equal((await shell.done("echo $a $b", { file })).text, "2 3\n");
  });

  it("is had by the next command that asks for it where the first one was cancelled", async () => {
    const shell = seat(table());
    const { file, started, go } = waitingBash();
    await shell.done("a=1; export b=2", { file });
    const cancelled = shell.run("echo cancelled", { terminal, file });
    await until(started);
    cancelled.unsubscribe();
    const next = shell.run("echo $a$b", { terminal, file });
    go();
    await next.exited;
    assert.deepEqual([next.text(), fell(next)], ["2\r\n", []]);
  });

  it("fails the next command where it is not ready in time, and the one that asked for it was cancelled", async () => {
    const clock = steeredClock();
    const shell = seat(table({ clock }));
    const { file, started } = waitingBash();
    const cancelled = shell.run("echo cancelled", { terminal, file });
    await until(started);
    cancelled.unsubscribe();
    const next = shell.run("echo next", { file });
    clock.forward(5_000);
    await next.completed;
    assert.deepEqual(
      next.events.map((event) => event.type === "execution.failed" && event.reason),
      [
        `Cannot start "${file}" in "/": it was not ready within 5 seconds`,
      ],
    );
  });

  it("ends none after it where it ended too soon, and the one that asked for it was cancelled", async () => {
    const clock = steeredClock();
    const shell = seat(table({ clock }));
    const { file, over, started, go } = waitingBash("exit 1");
    const cancelled = shell.run("echo cancelled", { terminal, file });
    await until(started);
    cancelled.unsubscribe();
    const failing = shell.run("echo failing", { file });
    go();
    await failing.completed;
    const next = shell.run(`echo begun; ${untilFile(over)}`);
    await until(() => next.text() === "begun\n");
    clock.forward(5_000);
    await pause(10);
    writeFileSync(over, "");
    assert.deepEqual((await next.exited).outcome, { type: "exited", code: 0 });
  });

  it("is a process where the session has no shell for its dialect", async () => {
    const it = seat(table()).run("echo here", { terminal, dialect: "powershell" });
    await it.exited;
    const [first, second] = fell(it);
    assert.deepEqual(first?.slice(0, 2), ["terminalShell", "shell"]);
    assert.deepEqual(second?.slice(0, 2), ["shell", "process"]);
    assert.match(
      first?.[2] ?? "",
      /powershell is not kept on a terminal, only bash, zsh and fish are; "pty" without/,
    );
    assert.match(second?.[2] ?? "", /PowerShell is not kept/);
    assert.equal(it.text(), "here\n");
  });
});
