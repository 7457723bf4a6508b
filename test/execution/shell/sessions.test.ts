import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import process from "node:process";
import { describe, it } from "node:test";
import type { RuntimeEvent } from "../../../src/event/event.ts";
import { SHELL_PARTS } from "../../../src/event/execution.ts";
import { hostShells } from "../../../src/platform/shell/host-shells.ts";
import { createRuntime } from "../../../src/runtime/create.ts";
import type { RuntimeOptions } from "../../../src/runtime/options/options.ts";
import type { Runtime } from "../../../src/runtime/runtime.ts";
import { cleanUp } from "../../clean-up.ts";
import { children, isThere, living, memoryMb, openFiles, uniqueSeconds } from "../world.ts";
import { runArgs } from "../../run-args.ts";
import { sized } from "../../sized.ts";
import { until } from "../../until.ts";
import { type Seat, seat, startShells } from "./shells.ts";

const SESSIONS = sized(15, 300);

async function start(options: RuntimeOptions = {}): Promise<Runtime> {
  const runtime = await createRuntime({ mode: "bypass", defaultExecutor: "shell", ...options });
  cleanUp(() => runtime.close());
  return runtime;
}

/** Files of shells, which have no name but for the moment in which they are made. */
const unnamed = () => readdirSync("/dev/shm").filter((name) => name.startsWith("shellflow-"));

describe(`${SESSIONS} sessions at once`, () => {
  it("each keep their own shell, and close without a trace", async (test) => {
    // What the first runtime of a process loads stays for all.
    const first = await start();
    await first.run("echo", { sessionId: "first" });
    await first.close();
    const before = {
      files: openFiles(),
      children: children().length,
      memory: memoryMb(),
      unnamed: new Set(unnamed()),
    };
    const runtime = await start();
    const sessions = Array.from({ length: SESSIONS }, (_, i) => `session-${i}`);
    const pids = await Promise.all(sessions.map(async (sessionId, i) => {
      const { output } = await runtime.run(`mine=${i}; echo $$`, { sessionId });
      return Number(output);
    }));
    assert.equal(new Set(pids).size, SESSIONS);
    const hostMb = (memoryMb() - before.memory) / SESSIONS;
    const shellMb = pids.reduce((sum, pid) => sum + memoryMb(pid), 0) / SESSIONS;
    test.diagnostic(
      `per session: ${hostMb.toFixed(2)} MB in the host, ${shellMb.toFixed(1)} MB in its shell, ` +
        `${((openFiles() - before.files) / SESSIONS).toFixed(1)} open files`,
    );
    const outputs = await Promise.all(
      sessions.map(async (sessionId) => (await runtime.run("echo $mine $$", { sessionId })).output),
    );
    assert.deepEqual(outputs, pids.map((pid, i) => `${i} ${pid}\n`));
    const table = runtime.sessions.current.byId;
    assert.deepEqual(sessions.map((id) => table.get(id)?.status), sessions.map(() => "idle"));

    // Half of them by themselves, the rest with the runtime.
    for (const sessionId of sessions.slice(0, SESSIONS / 2)) runtime.closeSession(sessionId);
    await until(() => !pids.slice(0, SESSIONS / 2).some(isThere));
    assert.ok(pids.slice(SESSIONS / 2).every(isThere));
    const { id } = runtime;
    await runtime.close();
    assert.deepEqual(pids.filter(isThere), []);
    assert.deepEqual(readdirSync(tmpdir()).filter((name) => name.includes(id)), []);
    // Those of other processes, too, are gone in a moment; the watchdog ends by itself.
    await until(() => unnamed().every((name) => before.unnamed.has(name)));
    await until(() => children().length <= before.children);
    await until(() => openFiles() <= before.files);
  });
});

describe("a reader of the events of a command in a shell", () => {
  for (
    const [type, ended] of [
      ["command.admitted", "aborted"],
      ["env.built", "aborted"],
      ["execution.started", "signaled"],
      ["execution.exited", "exited"],
    ] as const
  ) {
    it(`may stop it at its ${type}, and start the next one in the same turn`, async () => {
      const runtime = await start();
      const sessionId = "s";
      await runtime.run("export mine=1", { sessionId });
      const seconds = uniqueSeconds();
      const line = type === "execution.exited" ? "true" : `sleep ${seconds}`;
      const types: string[] = [];
      let commandId: string | undefined;
      const next = new Promise<string>((resolve) => {
        runtime.events.subscribe(({ event }) => {
          // It begins before `start` has returned.
          if (event.type === "command.requested" && event.command === line) {
            ({ commandId } = event);
          }
          if (!("commandId" in event) || event.commandId !== commandId) return;
          types.push(event.type);
          if (event.type !== type) return;
          void runtime.stop(event.commandId);
          resolve(runtime.run("echo $mine", { sessionId }).then(({ output }) => output));
        });
      });
      const { outcome } = await runtime.run(line, { sessionId });
      assert.equal(outcome.type, ended);
      assert.equal(await next, "1\n");
      assert.deepEqual(living(`sleep ${seconds}`), []);
      assert.equal(types.filter((one) => one === type).length, 1);
      assert.equal(types.includes("execution.started"), ended !== "aborted");
    });
  }
});

describe("a shell that nobody uses", () => {
  it("is ended, and the next command has its directory and exports, and is told what was lost", async () => {
    const runtime = await start({ sessionIdleMs: 50 });
    const seen: RuntimeEvent[] = [];
    runtime.events.subscribe(({ event }) => void seen.push(event));
    const run = async (command: string) => (await runtime.run(command, { sessionId: "s" })).output;
    const pid = Number(
      await run("cd /usr/bin; export kept='a b\nc'; lost=1; f() { echo f; }; echo $$"),
    );
    await until(() => !isThere(pid));
    const again = await run('echo $$; pwd; echo "$kept ${lost-gone}"; type -t f');
    assert.match(again, /^\d+\n\/usr\/bin\na b\nc gone\n$/);
    assert.notEqual(Number.parseInt(again), pid);
    const resets = seen.flatMap((event) => event.type === "session.reset" ? [event] : []);
    const lost = SHELL_PARTS.filter((part) => part !== "exports");
    assert.deepEqual(resets.map((reset) => reset.lost), [lost]);
    assert.match(resets[0]?.reason ?? "", /idle/);
    // The functions that are gone do not make a line doubtful any more.
    assert.deepEqual(runtime.sessions.current.byId.get("s")?.state?.functions ?? [], []);
  });

  it("is kept while one of its commands has something in the background", async () => {
    const runtime = await start({ sessionIdleMs: 50 });
    const seconds = uniqueSeconds();
    const pid = Number(
      (await runtime.run(`sleep ${seconds} & echo $$`, { sessionId: "s" })).output,
    );
    const other = Number((await runtime.run("echo $$", { sessionId: "other" })).output);
    await until(() => !isThere(other));
    assert.ok(isThere(pid));
    await until(() => living(`sleep ${seconds}`).length === 1);
    await runtime.close();
    assert.deepEqual(living(`sleep ${seconds}`), []);
  });
});

describe("shells that could take the last files of their host", () => {
  it("are ended when another one starts, those first that were used longest ago and have nothing in the background", async () => {
    const label = `shellflow-most-${process.pid}-`;
    const { executor } = startShells({ shells: { ...hostShells(label), most: 3 } });
    cleanUp(() => executor.close());
    const [busy, old, recent, next] = [1, 2, 3, 4].map(() => seat(executor));
    assert.ok(busy && old && recent && next);
    const pidIn = async ({ done }: Seat) => Number((await done("cd /usr; kept=1; echo $$")).text);
    const inBackground = Number((await busy.done(`sleep ${uniqueSeconds()} & echo $$`)).text);
    const used = await pidIn(old);
    const other = await pidIn(recent);
    await old.done("true");
    await pidIn(next);
    await until(() => !isThere(other));
    assert.deepEqual([inBackground, used].map(isThere), [true, true]);
    const again = await recent.done("pwd; echo ${kept-lost}");
    assert.equal(again.text, "/usr\nlost\n");
  });

  it("leave room for commands in a host that may open few", () => {
    const script = new URL("./many-sessions.ts", import.meta.url);
    const limited = ["-c", 'ulimit -n 200 && exec "$0" "$@"', process.execPath, ...runArgs(script)];
    const { stdout, stderr } = spawnSync("bash", limited, { encoding: "utf8" });
    assert.equal(stdout, "60 sessions, and a process\n", stderr);
  });
});

describe("a session that is closed", () => {
  it("ends its shell, keeps what runs in the background, and begins afresh under its name", async () => {
    const runtime = await start();
    const seconds = uniqueSeconds();
    const { output, taskId } = await runtime.run(
      `export x=1; setsid sleep ${seconds} & sleep ${seconds} & echo $$`,
      { sessionId: "s" },
    );
    runtime.closeSession("s");
    await until(() => !isThere(Number(output)));
    await until(() => living(`sleep ${seconds}`).length === 2);
    const again = await runtime.run("echo ${x-unset}", { sessionId: "s" });
    assert.equal(again.output, "unset\n");
    assert.equal(runtime.sessions.current.byId.get("s")?.resets, 0);
    assert.equal(runtime.tasks.current.byId.get(taskId)?.closed, false);
    await runtime.close();
    assert.deepEqual(living(`sleep ${seconds}`), []);
  });

  it("has its name for itself until what runs and waits in it has ended", async () => {
    const runtime = await start();
    const view = () => runtime.sessions.current.byId.get("s");
    await runtime.run("cd /usr; x=1", { sessionId: "s" });
    const runs = runtime.start("sleep 0.1; echo $x; g() { :; }", { sessionId: "s" });
    const waits = runtime.start("pwd; echo $x", { sessionId: "s" });
    runtime.closeSession("s");
    const next = runtime.start("cd /tmp; echo ${x-unset}; type g; y=2", { sessionId: "s" });
    assert.equal(view()?.queued, 2);
    assert.equal((await runs.result).output, "1\n");
    assert.equal((await waits.result).output, "/usr\n1\n");
    assert.match((await next.result).output, /^unset\n.*g: not found\n$/);
    assert.equal((await runtime.run("pwd; echo $y", { sessionId: "s" })).output, "/tmp\n2\n");
    const { status, queued, cwd, state } = view() ?? {};
    assert.deepEqual([status, queued, cwd, state?.functions ?? []], ["idle", 0, "/tmp", []]);
  });
});
