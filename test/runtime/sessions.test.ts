import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { ShellState } from "../../src/event/command.ts";
import { VirtualClock } from "../../src/platform/virtual-clock.ts";
import { createRuntime } from "../../src/runtime/create.ts";
import type { RuntimeOptions } from "../../src/runtime/options/options.ts";
import type { Runtime } from "../../src/runtime/runtime.ts";
import type { OnSession, SessionStart } from "../../src/runtime/session-start.ts";
import { cleanUp } from "../clean-up.ts";
import { asLive } from "./as-live.ts";
import { type FakeShells, fakeShells } from "./fake-shells.ts";

const scratch = realpathSync(mkdtempSync(join(tmpdir(), "shellflow-sessions-")));
cleanUp(() => rmSync(scratch, { recursive: true, force: true }));
mkdirSync(join(scratch, "sub"));

async function given(options: RuntimeOptions = {}): Promise<{
  readonly runtime: Runtime;
  readonly shells: FakeShells;
}> {
  const shells = fakeShells();
  const runtime = await createRuntime({
    cwd: scratch,
    mode: "bypass",
    defaultExecutor: "auto",
    executor: shells,
    ...options,
  });
  cleanUp(() => runtime.close());
  return { runtime, shells };
}

describe("the sessions of a runtime", () => {
  it("keep a shell for commands that name one, and start a process for all others", async () => {
    const { runtime, shells } = await given();
    await runtime.run("one", { sessionId: "s" });
    await runtime.run("two");
    await runtime.run("three", { sessionId: "s", executor: "process" });
    assert.deepEqual(shells.ran, ["s: one", "process: two", "process: three"]);
  });

  it("start processes alone, unless that is changed or a call asks for a shell", async () => {
    const { runtime, shells } = await given({ defaultExecutor: "process" });
    await runtime.run("one", { sessionId: "s" });
    await runtime.run("two", { sessionId: "s", executor: "shell" });
    assert.deepEqual(shells.ran, ["process: one", "s: two"]);
    const byOrigin = await given({
      defaultExecutor: (origin) => origin === "user" ? "shell" : "process",
    });
    await byOrigin.runtime.run("one", { sessionId: "s" });
    await byOrigin.runtime.run("two", { sessionId: "s", origin: "user" });
    assert.deepEqual(byOrigin.shells.ran, ["process: one", "s: two"]);
  });

  it("run first what their host has for them, once each, and say whether there was one before", async () => {
    const asked: SessionStart[] = [];
    const { runtime, shells } = await given({
      rules: { deny: ["Bash(no *)"] },
      onSession: (start) => {
        asked.push(start);
        return start.sessionId === "t" ? undefined : start.sessionId === "n" ? "no one" : "prepare";
      },
    });
    await runtime.run("alone");
    await runtime.run("apart", { sessionId: "s", executor: "process" });
    await runtime.run("own", { sessionId: "s", pty: true });
    await runtime.run("one", { sessionId: "s", owner: "me", overlap: "reject" });
    await runtime.run("two", { sessionId: "s" });
    await runtime.run("none", { sessionId: "t", origin: "user" });
    await runtime.run("goes on", { sessionId: "n" });
    runtime.closeSession("s");
    runtime.openSession("s", { cwd: "sub" });
    await runtime.run("three", { sessionId: "s" });
    assert.deepEqual(shells.ran.filter((line) => !line.startsWith("process: ")), [
      "s: prepare",
      "s: one",
      "s: two",
      "t: none",
      "n: goes on",
      "s: prepare",
      "s: three",
    ]);
    const facts = { cwd: scratch, origin: "model", resumed: false } as const;
    assert.deepEqual(asked, [
      { ...facts, sessionId: "s", owner: "me" },
      { ...facts, sessionId: "t", origin: "user" },
      { ...facts, sessionId: "n" },
      { ...facts, sessionId: "s", cwd: join(scratch, "sub"), resumed: true },
    ]);
  });

  it("are prepared for the first command that finds it, even if the host uses them meanwhile", async () => {
    const runtimes: Runtime[] = [];
    const { runtime, shells } = await given({
      defaultExecutor: (origin) => origin === "user" ? "auto" : "process",
      timeoutMs: 60_000,
      onTimeout: "promote",
      onSession: ({ sessionId }) => {
        runtimes[0]?.start("of the host", { sessionId, executor: "shell" });
        return "prepare";
      },
    });
    runtimes.push(runtime);
    await runtime.run("apart", { sessionId: "s" });
    await runtime.run("one", { sessionId: "s", executor: "shell" });
    await runtime.run("two", { sessionId: "t", origin: "user" });
    assert.deepEqual(shells.ran, [
      "process: apart",
      "s: of the host",
      "s: prepare",
      "s: one",
      "t: of the host",
      "process: prepare",
      "process: two",
    ]);
    // Promoted, it would go on in the shell that it prepares, and the session in another one.
    assert.deepEqual(shells.invocations[2]?.limits, { timeoutMs: 60_000 });
  });

  it("begin with nothing but a line, and say why they cannot", async () => {
    const answers: readonly (readonly [() => unknown, string])[] = [
      [() => 5, "Cannot run a command with command 5: it must be a string"],
      [() => Promise.reject(new Error("late")), "it answered a promise, not a line"],
      [() => " ", 'Cannot run a command with command " ": it is empty'],
      [() => {
        throw new Error("no file");
      }, "no file"],
    ];
    for (const [onSession, why] of answers) {
      const { runtime, shells } = await given({ onSession: onSession as OnSession });
      const message = `Cannot begin session "s" by onSession: ${why}`;
      for (const _ of [1, 2]) {
        await assert.rejects(runtime.run("one", { sessionId: "s" }), {
          name: "TypeError",
          message,
        });
      }
      assert.deepEqual(shells.ran, []);
    }
  });

  it("answer where a command left the shell, and go on from there", async () => {
    const { runtime, shells } = await given();
    const to = join(scratch, "sub");
    const { cwd } = await runtime.run(`go ${to}`, { sessionId: "s" });
    assert.deepEqual(cwd, { before: scratch, after: to });
    await runtime.run("ls", { sessionId: "s" });
    assert.equal(shells.invocations[1]?.cwd, to);
    assert.equal(runtime.sessions.current.byId.get("s")?.cwd, to);
  });

  it("are opened by name where the runtime is, or in another directory", async () => {
    const { runtime } = await given();
    runtime.openSession("here");
    runtime.openSession("below", { cwd: "sub" });
    const places = await Promise.all(["here", "below"].map(async (sessionId) => {
      return (await runtime.run("true", { sessionId })).cwd.before;
    }));
    assert.deepEqual(places, [scratch, join(scratch, "sub")]);
    const cannot = (open: () => void, message: RegExp) =>
      assert.throws(open, (error) => error instanceof TypeError && message.test(error.message));
    cannot(() => runtime.openSession(""), /^Cannot open a session with sessionId "": it is empty$/);
    const wrong = JSON.parse('{ "dir": "sub" }');
    cannot(
      () => runtime.openSession("s", wrong),
      /^Cannot open session "s" with dir "sub": there is no such option; there are cwd, reset$/,
    );
    cannot(() => runtime.openSession("s", { cwd: "" }), /with cwd "": it is empty$/);
  });

  it("take the directory of a call from where they stand", async () => {
    const { runtime } = await given();
    const at = async (cwd: string) => (await runtime.run("ls", { sessionId: "s", cwd })).cwd.before;
    assert.equal(await at("sub"), join(scratch, "sub"));
    await runtime.run(`go ${join(scratch, "sub")}`, { sessionId: "s" });
    assert.equal(await at(".."), scratch);
    assert.equal(await at("/"), "/");
  });

  it("ask about every name that their shell has taken, until it gives it back", async () => {
    const { runtime } = await given({
      mode: "default",
      rules: { allow: ["Bash(git status *)", "Bash(report *)"] },
    });
    const outcome = async (command: string) =>
      (await runtime.run(command, { sessionId: "s" })).outcome.type;
    const report = (state: ShellState) =>
      runtime.run(`report ${JSON.stringify(state)}`, {
        sessionId: "s",
        permission: { mode: "bypass" },
      });
    assert.equal(await outcome("git status"), "exited");
    for (
      const state of [
        { functions: ["git"] },
        { aliases: ["git"] },
        { programs: ["git"] },
        { variables: ["PATH"] },
        { variables: ["BASH_ENV"] },
      ]
    ) {
      await report(state);
      assert.equal(await outcome("git status"), "denied", JSON.stringify(state));
      assert.equal(await outcome("time git status"), "denied", JSON.stringify(state));
      await report({});
      assert.equal(await outcome("git status"), "exited");
    }
    await report({ functions: ["deploy"] });
    assert.equal(await outcome("git status"), "exited", "only the name that is used counts");
  });

  it("queue, reject or set apart a call while they are busy", async () => {
    const { runtime, shells } = await given();
    await runtime.run(`go ${join(scratch, "sub")}`, { sessionId: "s" });
    const first = runtime.start("wait 1", { sessionId: "s" });
    const queued = runtime.start("two", { sessionId: "s" });
    const rejected = await runtime.run("three", { sessionId: "s", overlap: "reject" });
    assert.deepEqual(rejected.outcome, {
      type: "rejected",
      reason: `Cannot run in session "s": it is busy with "${first.taskId}"`,
    });
    const apart = await runtime.run("four", { sessionId: "s", overlap: "isolate" });
    assert.notEqual(apart.sessionId, "s");
    assert.equal(apart.cwd.before, join(scratch, "sub"));
    const view = runtime.sessions.current.byId.get(apart.sessionId);
    assert.deepEqual([view?.insteadOf, view?.status], ["s", "closed"]);
    assert.deepEqual(shells.released, [`${apart.sessionId} closed`]);
    shells.finish("wait 1");
    await queued.result;
    assert.deepEqual(shells.ran.slice(1), [
      "s: wait 1",
      `${apart.sessionId}: four`,
      "s: two",
    ]);
    const idle = await runtime.run("five", { sessionId: "s", overlap: "isolate" });
    assert.equal(idle.sessionId, "s");
  });

  it("are used again by owner and directory", async () => {
    const { runtime, shells } = await given();
    const ann = await runtime.run("one", { owner: "ann" });
    assert.equal((await runtime.run("two", { owner: "ann" })).sessionId, ann.sessionId);
    const elsewhere = await runtime.run("three", { owner: "ann", cwd: "sub" });
    assert.notEqual(elsewhere.sessionId, ann.sessionId);
    assert.equal(elsewhere.cwd.before, join(scratch, "sub"));
    const { shell } = shells.invocations.at(-1) ?? {};
    assert.equal(shell && "returns" in shell, false, "it stands there");
    const bob = await runtime.run("four", { owner: "bob" });
    assert.equal(bob.sessionId, ann.sessionId, "it was free");
    const waits = runtime.start("wait", { owner: "bob" });
    const other = await runtime.run("five", { owner: "ann" });
    assert.notEqual(other.sessionId, ann.sessionId);
    shells.finish("wait");
    await waits.result;
    const missing = await runtime.run("six", { owner: "ann", cwd: "none" });
    assert.equal(missing.outcome.type, "rejected");
  });

  it("free a shell that nobody has used for long", async () => {
    const clock = new VirtualClock();
    const { runtime, shells } = await given({ clock, sessionIdleMs: 60_000 });
    await runtime.run("one", { sessionId: "s" });
    clock.advance(30_000);
    await runtime.run("two", { sessionId: "s" });
    clock.advance(59_999);
    assert.deepEqual(shells.released, []);
    clock.advance(1);
    assert.deepEqual(shells.released, ["s idle"]);
    assert.equal(runtime.sessions.current.byId.get("s")?.status, "idle");
    await runtime.run("three", { sessionId: "s" });
    assert.equal(shells.ran.at(-1), "s: three");
    runtime.closeSession("s");
    clock.advance(120_000);
    assert.deepEqual(shells.released, ["s idle", "s closed"]);
  });

  it("have a shell of which they know also when its first command has not begun", async () => {
    const clock = new VirtualClock();
    const { runtime, shells } = await given({ clock, sessionIdleMs: 1 });
    const first = runtime.start("starting", { sessionId: "s", origin: "user" });
    first.stop();
    await first.result;
    await runtime.run("two", { sessionId: "s" });
    assert.deepEqual(shells.ran, ["s: starting", "process: two"]);
    clock.advance(1);
    assert.deepEqual(shells.released, ["s idle"]);
    runtime.closeSession("s");
    assert.deepEqual(shells.released, ["s idle", "s closed"]);
  });

  it("have no shell where nothing was given to it", async () => {
    const { runtime, shells } = await given({ mode: "default", rules: { deny: ["Bash(one *)"] } });
    await runtime.run("one x", { sessionId: "s", origin: "user" });
    runtime.closeSession("s");
    assert.deepEqual([shells.ran, shells.released], [[], []]);
  });

  it("say why a wish for a shell is not granted", async () => {
    const told: (string | undefined)[] = [];
    const { runtime, shells } = await given();
    runtime.events.subscribe(({ event }) => {
      if (event.type === "command.admitted") told.push(event.executor?.reason);
    });
    await runtime.run("one", { sessionId: "s", origin: "user" });
    await runtime.run("two", { sessionId: "s" });
    assert.deepEqual(shells.ran, ["s: one", "process: two"]);
    assert.deepEqual(told, ["its session is kept", `the session's shell is that of origin "user"`]);
    await assert.rejects(
      runtime.run("x", { executor: "terminal" as never }),
      /Cannot run a command with executor "terminal": it must be "process" or "shell"; pty gives a terminal$/,
    );
    await assert.rejects(runtime.run("x", { overlap: "never" as never }), /with overlap "never": /);
    await assert.rejects(runtime.run("x", { owner: "" }), /with owner "": it is empty/);
    await assert.rejects(
      createRuntime({ defaultExecutor: "best" as never }),
      /with defaultExecutor "best": /,
    );
  });

  it("tell the same from the log as live, at every event", async () => {
    const log = join(scratch, "log");
    const { runtime } = await given({ log, sessionIdleMs: 0 });
    const replay = asLive(runtime);
    await runtime.run(`go ${join(scratch, "sub")}`, { sessionId: "s", env: { A: "hush" } });
    await runtime.run(`report ${JSON.stringify({ aliases: ["x"] })}`, { sessionId: "s" });
    await runtime.run("one", { owner: "ann", overlap: "isolate" });
    await runtime.close();
    const replayed = await replay(log);
    assert.ok(!JSON.stringify(replayed).includes("hush"));
    const built = replayed.flatMap(({ event }) => event.type === "env.built" ? [event] : [])[0];
    assert.deepEqual(built?.invocation.shell?.overrides?.names, ["A"]);
    assert.ok(built?.invocation.shell?.env.names.includes("PATH"));
  });

  it("are closed by themselves, not by an earlier one of their name", async () => {
    const { runtime, shells } = await given();
    const told: string[] = [];
    runtime.events.subscribe(({ event }) => {
      if (/^session\.(?:opened|closed)$/.test(event.type)) told.push(event.type);
    });
    const earlier = runtime.start("wait", { sessionId: "s" });
    runtime.closeSession("s");
    const next = runtime.start("wait too", { sessionId: "s" });
    shells.finish("wait");
    await earlier.result;
    shells.finish("wait too");
    await next.result;
    await runtime.run("go on", { sessionId: "s" });
    assert.deepEqual(told, ["session.opened", "session.closed", "session.opened"]);
    runtime.closeSession("s");
    assert.equal(told.length, 4);
  });

  it("take a leading cd for the directory of a process, unless a rule has something to say", async () => {
    const { runtime, shells } = await given({ rules: { deny: ["Bash(cd sub)"] } });
    const to = join(scratch, "sub");
    const { command, cwd } = await runtime.run(`cd ${to} && ls`);
    assert.deepEqual([command, cwd.before], [`cd ${to} && ls`, to]);
    assert.deepEqual([shells.invocations[0]?.command, shells.invocations[0]?.cwd], ["ls", to]);
    assert.equal((await runtime.run("cd sub && ls")).outcome.type, "denied");
    await runtime.run(`cd ${to} && ls`, { sessionId: "s" });
    assert.equal(shells.invocations[1]?.command, `cd ${to} && ls`, "a shell goes there itself");
    const whole = await given({ foldCd: false });
    await whole.runtime.run(`cd ${to} && ls`);
    assert.equal(whole.shells.invocations[0]?.command, `cd ${to} && ls`);
  });

  it("ask about a line that a leading cd, or its directory, takes out of the workspace", async () => {
    await using runtime = await createRuntime({ cwd: scratch });
    for (
      const { outcome } of [
        await runtime.run("cd /etc && ls"),
        await runtime.run("cd /etc && grep -r root"),
        await runtime.run("ls", { cwd: "/etc" }),
      ]
    ) {
      assert.ok(outcome.type === "denied", outcome.type);
      assert.match(outcome.reason, /it runs in "\/etc", which is outside the workspace/);
    }
    assert.equal((await runtime.run("ls", { cwd: "sub" })).outcome.type, "exited");
  });
});
