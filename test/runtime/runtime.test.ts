import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, describe, it } from "node:test";
import { filter, firstValueFrom } from "rxjs";
import { endsCommand } from "../../src/event/event.ts";
import { readLog } from "../../src/event/log/read-log.ts";
import type { RunOptions } from "../../src/runtime/call/request.ts";
import { createRuntime } from "../../src/runtime/create.ts";
import type { OutputOptions } from "../../src/runtime/options/options.ts";
import { living, runs, uniqueSeconds } from "../execution/world.ts";
import { gate } from "../gate.ts";
import { passUnheard } from "../pass-unheard.ts";
import { steeredClock } from "../steered-clock.ts";
import { until } from "../until.ts";
import { asLive } from "./as-live.ts";

const scratch = mkdtempSync(join(tmpdir(), "shellflow-test-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

const free = { mode: "bypass", cwd: scratch, graceMs: 300 } as const;

describe("a runtime", () => {
  it("runs what a rule allows and tells what became of it", async () => {
    await using runtime = await createRuntime({
      cwd: scratch,
      rules: { allow: ["Bash(echo *)"] },
    });
    const result = await runtime.run("echo hi");
    const { taskId, sessionId, durationMs, ...rest } = result;
    assert.match(taskId, /^task_/);
    assert.match(sessionId, /^session_/);
    assert.ok(durationMs >= 0);
    assert.deepEqual(rest, {
      command: "echo hi",
      outcome: { type: "exited", code: 0 },
      exitCode: 0,
      output: "hi\n",
      totalBytes: 3,
      omittedBytes: 0,
      cwd: { before: scratch, after: scratch },
      leftovers: [],
      decision: { type: "granted", by: "rule", rules: ["Bash(echo *)"] },
    });
  });

  it("holds what it denies and asks about for commands with a permission of their own", async () => {
    const asked: string[] = [];
    await using runtime = await createRuntime({
      cwd: scratch,
      rules: { allow: ["Bash(*)"], ask: ["Bash(mkdir *)"], deny: ["Bash(rm *)"] },
      ask: ({ order }) => {
        asked.push(order.command);
        return Promise.resolve("session");
      },
    });
    const types = async (command: string, permission: RunOptions["permission"] = {}) =>
      (await runtime.run(command, { permission })).outcome.type;
    assert.equal(await types("rm x", { mode: "bypass" }), "denied");
    assert.equal(await types("rm x", { rules: { allow: ["Bash(*)"] } }), "denied");
    assert.equal(await types("mkdir own", { rules: { allow: ["Bash(*)"] } }), "exited");
    assert.equal(await types("touch own/a"), "exited");
    assert.equal(await types("touch own/a"), "exited");
    assert.deepEqual(asked, ["mkdir own", "touch own/a"]);
    const answer = (answer: "deny" | "session") => ({ ask: () => Promise.resolve(answer) });
    assert.equal(await types("touch own/b", answer("session")), "exited");
    for (const file of ["a", "b"]) {
      assert.equal(await types(`touch own/${file}`, answer("deny")), "denied");
    }
    rmSync(join(scratch, "own"), { recursive: true });
  });

  it("runs nothing that no rule allows, and says which rule denies", async () => {
    await using runtime = await createRuntime({
      cwd: scratch,
      rules: { allow: ["Bash(*)"], deny: ["Bash(touch *)"] },
    });
    const { outcome, exitCode, decision } = await runtime.run("echo a && touch denied");
    assert.equal(outcome.type, "denied");
    assert.equal(exitCode, null);
    assert.equal(decision?.type === "denied" && decision.rule, "Bash(touch *)");
    assert.equal((await runtime.run("ls")).output, "");
    await using strict = await createRuntime({ cwd: scratch });
    assert.equal((await strict.run("touch denied")).outcome.type, "denied");
    assert.equal((await strict.run("echo hi")).output, "hi\n");
    await using closed = await createRuntime({ cwd: scratch, readFreely: false });
    assert.equal((await closed.run("echo hi")).outcome.type, "denied");
  });

  it("asks its port, and obeys the answer", async () => {
    const asked: string[] = [];
    await using runtime = await createRuntime({
      cwd: scratch,
      readFreely: false,
      ask: ({ order }) => {
        asked.push(order.command);
        return Promise.resolve(order.command.includes("yes") ? "once" : "deny");
      },
    });
    assert.equal((await runtime.run("echo yes")).output, "yes\n");
    assert.equal((await runtime.run("echo no")).outcome.type, "denied");
    assert.deepEqual(asked, ["echo yes", "echo no"]);
  });

  it("refuses what is no request, names the field and the value, and records nothing", async () => {
    await using runtime = await createRuntime(free);
    const { run } = { run: (...args: Parameters<typeof runtime.run>) => runtime.run(...args) };
    await assert.rejects(run(" "), /Cannot run a command with command " ": it is empty/);
    await assert.rejects(run("a\0b"), /with command .*: it contains NUL/);
    await assert.rejects(run("ls", { timeoutMs: -1 }), /with timeoutMs -1: /);
    await assert.rejects(run("ls", { timeoutMs: NaN }), /with timeoutMs NaN: /);
    await assert.rejects(run("ls", { env: { "1x": "" } }), /with env "1x": a name has/);
    await assert.rejects(run("ls", { env: { X: "a\0" } }), /with env "X": its value contains NUL/);
    await assert.rejects(run("ls", { cwd: "" }), /with cwd "": it is empty/);
    await assert.rejects(run("ls", { cwd: "/\0" }), /with cwd .*: it contains NUL/);
    await assert.rejects(run("ls", { sessionId: "a\0" }), /with sessionId .*: it contains NUL/);
    await assert.rejects(run("ls \ud800"), /with command .*: it contains half a character/);
    const pty = { columns: 80, rows: 24, passThrough: true } as const;
    await assert.rejects(run("ls", { pty, executor: "shell" }), /with executor "shell": /);
    for (const given of [{ pty: true }, { input: true }, { executor: "shell" }] as const) {
      const outlives = /: a detached command outlives every terminal, shell and limit/;
      await assert.rejects(run("ls", { detach: true, ...given }), outlives);
    }
    await assert.rejects(
      run("ls", { timeout: 1 } as never),
      /with timeout 1: there is no such option/,
    );
    assert.equal(runtime.tasks.current.byId.size, 0);
  });

  it("rejects a directory that is missing or none when the command's turn comes", async () => {
    await using runtime = await createRuntime(free);
    const missing = await runtime.run("ls", { cwd: "nowhere" });
    assert.deepEqual(missing.outcome, {
      type: "rejected",
      reason: `Cannot run in "${join(scratch, "nowhere")}": no such directory`,
    });
    const file = await runtime.run("ls", { cwd: "/etc/passwd" });
    assert.match(JSON.stringify(file.outcome), /it is not a directory/);
  });

  it("runs the commands of one session in order, and those of several side by side", async () => {
    await using runtime = await createRuntime(free);
    const started: string[] = [];
    runtime.events.subscribe(({ event }) => {
      if (event.type === "execution.started") started.push(event.commandId);
    });
    const a = runtime.start("sleep 0.3", { sessionId: "one" });
    const b = runtime.start("echo b", { sessionId: "one" });
    const c = runtime.start("echo c", { sessionId: "two" });
    await Promise.all([a.result, b.result, c.result]);
    assert.deepEqual(started, [a.taskId, c.taskId, b.taskId]);
  });

  it("ends a command on abort, and never starts one that is aborted already", async () => {
    await using runtime = await createRuntime(free);
    const controller = new AbortController();
    const running = runtime.start("sleep 67.5", { signal: controller.signal });
    await firstValueFrom(
      runtime.events.pipe(filter(({ event }) => event.type === "execution.started")),
    );
    controller.abort();
    assert.deepEqual((await running.result).outcome, { type: "aborted", by: "abort" });
    const never = await runtime.run("touch never", { signal: AbortSignal.abort() });
    assert.deepEqual(never.outcome, { type: "aborted", by: "abort" });
    assert.equal((await runtime.run("ls")).output, "");
  });

  it("names its session to each command, in a shell that stays as well", async () => {
    await using runtime = await createRuntime(free);
    const line = "echo $SHELLFLOW_SESSION";
    const { output, sessionId } = await runtime.run(line);
    assert.equal(output, `${sessionId}\n`);
    const env = { SHELLFLOW_SESSION: "mine" };
    for (const executor of ["process", "shell"] as const) {
      const own = await runtime.run(line, { sessionId: "named", executor, env });
      assert.equal(own.output, "named\n");
    }
  });

  it("gives a person what the host has also where the policy names other things", async () => {
    const hostEnv = { PATH: process.env["PATH"] ?? "", FAVOURITE: "blue" };
    await using runtime = await createRuntime({ ...free, hostEnv, env: { set: { LEVEL: "1" } } });
    const line = "echo $FAVOURITE $LEVEL";
    assert.equal((await runtime.run(line, { origin: "user" })).output, "blue 1\n");
    assert.equal((await runtime.run(line)).output, "1\n");
    await using core = await createRuntime({ ...free, hostEnv, env: { inherit: "core" } });
    assert.equal((await core.run(line, { origin: "user" })).output, "\n");
  });

  it("promotes a command by its time or by hand, and tells its end to whoever waits for it", async () => {
    await using runtime = await createRuntime({
      ...free,
      timeoutMs: 100,
      onTimeout: "promote",
      noTimeout: ["sleep 0.4"],
    });
    const { wait, open } = gate();
    const line = `echo early; ${wait}; echo late`;
    const promoted = await runtime.run(line);
    assert.deepEqual(promoted.outcome, { type: "promoted", by: "timeout" });
    assert.ok("early\n".startsWith(promoted.output));
    open();
    const ended = await runtime.wait(promoted.taskId);
    assert.deepEqual([ended.outcome.type, ended.output], ["exited", "early\nlate\n"]);
    assert.ok(promoted.durationMs >= 0 && ended.durationMs > 0);
    assert.equal((await runtime.wait(promoted.taskId)).output, ended.output);

    for (const exempt of ["sleep 0.4 && echo exempt", "cd / && sleep 0.4; echo exempt"]) {
      assert.equal((await runtime.run(exempt)).output, "exempt\n");
    }
    assert.equal((await runtime.run("sleep 0.41")).outcome.type, "promoted");
    assert.equal((await runtime.run(line, { onTimeout: "kill" })).outcome.type, "timedOut");
    const controller = new AbortController();
    const byHand = runtime.start(line, { timeoutMs: 0, signal: controller.signal });
    await byHand.output;
    runtime.promote(byHand.taskId);
    assert.deepEqual((await byHand.result).outcome, { type: "promoted", by: "user" });
    controller.abort(); // the wait that it belonged to is over
    const { signal } = controller;
    await assert.rejects(runtime.wait(byHand.taskId, { signal }), { name: "AbortError" });
    const timeout = { signal: AbortSignal.timeout(10) };
    await assert.rejects(runtime.wait(byHand.taskId, timeout), { name: "TimeoutError" });
    open();
    assert.equal((await runtime.wait(byHand.taskId)).outcome.type, "exited");
    await assert.rejects(
      runtime.wait("task_none"),
      /Cannot wait for "task_none": there is no such/,
    );
    const wrong: object = { signl: signal };
    await assert.rejects(
      runtime.wait(byHand.taskId, wrong),
      /^TypeError: Cannot wait for "\w+" with signl \{\}: there is no such option; /,
    );
  });

  it("ends what an exited command left, and resolves when that is gone", async () => {
    await using runtime = await createRuntime(free);
    const what = `sleep ${uniqueSeconds()}`;
    const line = `${what} & setsid ${what} & exit 3`;
    for (const options of [{}, { executor: "shell", sessionId: "s" }] as const) {
      const { taskId, leftovers } = await runtime.run(line, options);
      assert.equal(leftovers.length, 2);
      assert.deepEqual(await runtime.stop(taskId), []);
      assert.deepEqual(living(what), []);
    }
  });

  it("resolves a stop once nothing of a running command is left, whatever state it is in", async () => {
    await using runtime = await createRuntime({ ...free, graceMs: 300 });
    const what = `sleep ${uniqueSeconds()}`;
    const line = `trap '' TERM; setsid ${what} & echo ready; ${what}; ${what}`;
    const session = { sessionId: "s" };
    for (const options of [{}, { executor: "shell", ...session }] as const) {
      const { taskId } = runtime.start(line, options);
      const queued = runtime.start("echo never", {
        sessionId: runtime.tasks.current.byId.get(taskId)?.sessionId ?? "",
      });
      await until(() => runtime.output(taskId)?.total === 6 && living(what).length >= 2);
      assert.deepEqual(await runtime.stop(queued.taskId), []);
      assert.equal((await queued.result).outcome.type, "aborted");
      assert.deepEqual(await runtime.stop(taskId), []);
      assert.deepEqual(living(what), []);
      assert.equal(runtime.tasks.current.byId.get(taskId)?.status, "ended");
    }
  });

  it("frees the session of a promoted command at once, also of one that is promoted while it waits", async () => {
    await using runtime = await createRuntime({ ...free });
    const options = { sessionId: "s" };
    const first = runtime.start("sleep 30", options);
    const second = runtime.start("sleep 30", options);
    const third = runtime.start("echo third", options);
    runtime.promote(second.taskId);
    assert.equal((await second.result).outcome.type, "promoted");
    await first.output;
    runtime.promote(first.taskId);
    assert.equal((await third.result).output, "third\n");
    const session = () => runtime.sessions.current.byId.get("s");
    assert.equal(session()?.status, "idle");
    // The third has ended, and may hold its output for a moment longer.
    await until(() => session()?.open === 2);
    await runtime.stop(first.taskId);
    await runtime.stop(second.taskId);
    assert.equal((await runtime.wait(second.taskId)).outcome.type, "signaled");
  });

  it("promotes no command that ended in time while the program was busy", async () => {
    const clock = steeredClock();
    const timeoutMs = 600_000;
    await using runtime = await createRuntime({ ...free, clock, timeoutMs, onTimeout: "promote" });
    for (let i = 0; i < 3; i++) {
      const { wait, open } = gate();
      const running = runtime.start(`echo ready; ${wait}; exit 3`);
      const log = await running.output;
      await until(() => (log?.total ?? 0) > 0);
      const pid = runtime.tasks.current.byId.get(running.taskId)?.pid ?? 0;
      await passUnheard({ clock, ms: timeoutMs, cause: open, until: () => !runs(pid) });
      assert.deepEqual((await running.result).outcome, { type: "exited", code: 3 });
    }
  });

  it("tells the same from its log as live, at every event", async () => {
    const log = join(scratch, "log");
    const runtime = await createRuntime({ ...free, rules: { deny: ["Bash(rm *)"] }, log });
    const replay = asLive(runtime);
    await runtime.run("echo a; sleep 0.15; echo b; exit 4");
    await runtime.run("rm -rf x");
    await runtime.run("seq 1 50000", { env: { SECRET_OF_MINE: "hush" }, sessionId: "named" });
    await runtime.close();
    assert.ok(!JSON.stringify(await replay(log)).includes("hush"));
  });

  it("goes on in a log that is there, without overwriting it", async () => {
    const log = join(scratch, "twice");
    for (const word of ["first", "second"]) {
      const runtime = await createRuntime({ ...free, log });
      await runtime.run(`echo ${word}`);
      await runtime.close();
    }
    const commands: string[] = [];
    let seq = 0;
    for await (const recorded of readLog(log)) {
      assert.equal(recorded.seq, ++seq);
      if (recorded.event.type === "command.requested") commands.push(recorded.event.command);
    }
    assert.deepEqual(commands, ["echo first", "echo second"]);
  });

  it("gives every command one end, also when it closes over hundreds of them", async () => {
    const runtime = await createRuntime(free);
    const ends = new Map<string, number>();
    runtime.events.subscribe(({ event }) => {
      if (!endsCommand(event)) return;
      ends.set(event.commandId, (ends.get(event.commandId) ?? 0) + 1);
    });
    const all = Array.from(
      { length: 300 },
      (_, i) => runtime.start("sleep 68.5", i % 3 === 0 ? {} : { sessionId: `s${i % 7}` }),
    );
    await runtime.close();
    const results = await Promise.all(all.map(({ result }) => result));
    assert.ok(results.every(({ outcome }) => outcome.type === "aborted"));
    assert.ok(all.every(({ taskId }) => ends.get(taskId) === 1));
    assert.throws(() => runtime.start("ls"), /Cannot run "ls": the runtime is closed/);
  });

  for (const what of ["runtime", "session"] as const) {
    it(`runs nothing where its ${what} is closed as soon as the session opens`, async () => {
      const runtime = await createRuntime({ cwd: scratch, mode: "bypass" });
      runtime.events.subscribe(({ event }) => {
        if (event.type !== "session.opened") return;
        if (what === "runtime") void runtime.close();
        else runtime.closeSession(event.sessionId);
      });
      const { outcome } = await runtime.run("touch early", { sessionId: "s" });
      assert.deepEqual(outcome, { type: "aborted", by: "close" });
      await runtime.close();
      assert.equal(existsSync(join(scratch, "early")), false);
    });
  }

  it("closes without a grace when somebody cannot wait, also after it had begun to with one", async () => {
    const what = `sleep ${uniqueSeconds()}`;
    const stubborn = `trap '' TERM; ${what}; ${what}`;
    const log = join(scratch, "haste");
    const runtime = await createRuntime({ ...free, graceMs: 3_600_000, log });
    const attached = [
      runtime.start(`(setsid ${what} &); ${stubborn}`),
      runtime.start(stubborn, { executor: "shell", sessionId: "s" }),
    ];
    const { taskId } = await runtime.run(stubborn, { detach: true });
    await until(() => living(what).length >= 4);
    runtime.stop(taskId);
    void runtime.close();
    await runtime.close({ now: true });
    for (const { result } of attached) {
      assert.deepEqual((await result).outcome, { type: "aborted", by: "close" });
    }
    assert.deepEqual(living(what), []);
  });

  it("keeps the head and the tail of a long output, and all of it in a file", async () => {
    await using runtime = await createRuntime({
      ...free,
      output: { spill: join(scratch, "spill") },
    });
    const { output, totalBytes, omittedBytes, artifact } = await runtime.run("seq 1 100000");
    assert.equal(totalBytes, 588_895);
    assert.ok(output.startsWith("1\n2\n") && output.endsWith("99999\n100000\n"));
    assert.ok(omittedBytes > 500_000);
    const again = await runtime.run(`sha256sum < ${artifact}; seq 1 100000 | sha256sum`);
    const [one, two] = again.output.split("\n");
    assert.equal(one, two);
  });

  it("says of a file what it holds, and nothing of one that there is not", async () => {
    const noticed = async (output: OutputOptions) => {
      await using runtime = await createRuntime({ ...free, output });
      const result = await runtime.run("seq 1 100000");
      const [notice] = /\[\d+ of 588895 bytes omitted.*\]/.exec(result.output) ?? [];
      return { notice, artifact: result.artifact };
    };
    const spill = join(scratch, "claims");
    const part = await noticed({ spill, quotaBytes: 200_000 });
    assert.match(part.notice ?? "", /, from byte 10240 on; the first 200000 are in /);
    assert.equal(statSync(part.artifact ?? "").size, 200_000);
    const all = await noticed({ spill });
    assert.match(all.notice ?? "", /; all of it is in /);
    assert.equal(statSync(all.artifact ?? "").size, 588_895);
    const none = await noticed({ spill: false });
    assert.match(none.notice ?? "", /, from byte 10240 on\]$/);
    assert.equal(none.artifact, undefined);
  });

  it("refuses options that cannot be used", async () => {
    await assert.rejects(createRuntime({ mode: "free" as never }), /with mode "free": /);
    await assert.rejects(createRuntime({ timeoutMs: -5 }), /with timeoutMs -5: /);
    await assert.rejects(
      createRuntime({ cwd: join(scratch, "no") }),
      /Cannot use cwd ".*": no such directory/,
    );
    await assert.rejects(createRuntime({ rules: { allow: ["Bash("] } }), /Cannot/);
    const bad: readonly [object, RegExp][] = [
      [{ timeoutMs: NaN }, /with timeoutMs NaN: /],
      [{ timeoutMs: 5n }, /with timeoutMs 5n: /],
      [
        { gates: [{ name: "g", before: "permit", decide: () => {}, timeoutMs: -1 }] },
        /with gates\.0\.timeoutMs -1: /,
      ],
      [{ bashEnv: 5 }, /with bashEnv 5: /],
      [{ onSession: "ls" }, /with onSession "ls": /],
      [{ ask: Symbol("me") }, /with ask Symbol\(me\): /],
      [{ timeoutMS: 5 }, /with timeoutMS 5: there is no such option/],
      [{ output: { headBytes: -1 } }, /with output\.headBytes -1: /],
      [{ output: { tailBytes: 1.5 } }, /with output\.tailBytes 1\.5: it must be a whole number/],
      [{ output: { spill: 5 } }, /with output\.spill 5: /],
      [{ output: { spill: "/usr" } }, /with output\.spill "\/usr": .*(other users|another user)/],
      [{ output: { onLimit: "kill" } }, /with output\.onLimit "kill": /],
      [{ output: 5 }, /with output 5: it must be an object$/],
      [{ output: { ended: { log: 1 } } }, /with output\.ended\.logs undefined: it is missing/],
      [{ env: { A: "b" } }, /with env\.A "b": there is no such option; there are inherit, /],
      [{ env: { inherit: "None" } }, /with env\.inherit "None": /],
      [{ env: { exclude: "A" } }, /with env\.exclude "A": /],
      [{ env: { set: { A: 1 } } }, /with env\.set\.A 1: /],
      [{ env: { set: { "A=B": "" } } }, /with env\.set\.A=B "A=B": it is no name of a variable/],
      [{ env: { set: { A: "\0" } } }, /^TypeError: .* with env\.set\.A: its value contains NUL$/],
      [{ env: 5 }, /with env 5: /],
      [{ workspace: join(scratch, "no") }, /Cannot use workspace ".*\/no": no such directory/],
      [{ executor: () => undefined }, /a function that returns executor undefined: it is missing/],
      [{ executor: 5 }, /with executor 5: /],
      [{ executor: { run() {} } }, /with executor\.name undefined: /],
      [{ executor: { name: "x", run() {} } }, /with executor\.capabilities undefined: /],
      [{ processes: 5 }, /with processes 5: /],
      [{ guests: { idleMs: 0, onEnd: () => {} } }, /with log undefined: guests come through/],
    ];
    for (const [options, message] of bad) await assert.rejects(createRuntime(options), message);
    await assert.rejects(createRuntime(null as never), /with options null: it must be an object/);
  });

  it("refuses what cannot be asked of a task, and says which", async () => {
    await using runtime = await createRuntime(free);
    const { run } = { run: (...args: Parameters<typeof runtime.run>) => runtime.run(...args) };
    await assert.rejects(run("ls", null as never), /with options null: it must be an object/);
    await assert.rejects(run("ls", [] as never), /with options .*: it must be an object/);
    for (const what of ["stop", "promote"] as const) {
      assert.throws(() => runtime[what]("task_no"), /Cannot \w+ "task_no": there is no such task/);
    }
    const { stop, taskId, output, result } = runtime.start("sleep 60");
    await output;
    for (const signal of ["TERM", "SIGFOO", "", "0", 9]) {
      assert.throws(
        () => runtime.signal(taskId, signal as string),
        /it is no signal of this system/,
      );
    }
    runtime.signal(taskId, "SIGCONT");
    const sent: string[] = [];
    runtime.events.subscribe(({ event }) => {
      if (event.type === "command.signalled") sent.push(event.signal);
    }).unsubscribe();
    assert.deepEqual(sent, ["SIGCONT"]);
    assert.throws(() => stop("nobody" as never), /by "nobody": it must be/);
    stop();
    await result;
    stop();
  });
});
