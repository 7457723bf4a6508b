import assert from "node:assert/strict";
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { filter, firstValueFrom } from "rxjs";
import { fold } from "../../../src/event/project.ts";
import { createRuntime } from "../../../src/runtime/create.ts";
import { stopTask } from "../../../src/runtime/control/stop-task.ts";
import type { RunResult } from "../../../src/runtime/call/result.ts";
import type { Runtime } from "../../../src/runtime/runtime.ts";
import { tasksNow } from "../../../src/runtime/state/tasks-now.ts";
import { sessions } from "../../../src/session/sessions.ts";
import { tasks } from "../../../src/task/tasks.ts";
import { scratch } from "../../event/scratch.ts";
import { runs, UNTIL_ASLEEP } from "../../execution/world.ts";
import { living, marked, recordedIn, sleeping, textOf } from "./world.ts";
import { until } from "../../until.ts";

const opened = (log: string, graceMs = 300): Promise<Runtime> =>
  createRuntime({ mode: "bypass", log, cwd: "/", graceMs });

function detachedOf({ outcome }: RunResult): { pid: number; log: string; pidFile: string } {
  assert.ok(outcome.type === "detached", JSON.stringify(outcome));
  return outcome;
}

describe("a detached command", () => {
  it("answers once it has started, and goes on as a task with an end of its own", async () => {
    const log = scratch();
    await using runtime = await opened(log);
    const go = join(log, "go");
    const wait = `while ! [ -e ${go} ]; do sleep 0.05; done`;
    const line = `echo one; echo two > /dev/stderr; umask; ${wait}; exit 7`;
    const result = await runtime.run(line, { detach: true, sessionId: "s" });
    const { pid, log: file, pidFile } = detachedOf(result);
    assert.equal(result.exitCode, null);
    assert.match(
      file,
      new RegExp(`/detached/echo-detached-${result.taskId}-\\d{8}T\\d{6}Z\\.log$`),
    );
    assert.equal(pidFile, file.replace(/log$/, "pid"));
    assert.equal(textOf(pidFile).split("\n")[0], String(pid));
    const task = runtime.tasks.current.byId.get(result.taskId);
    assert.equal(task?.status, "running");
    assert.equal(runtime.sessions.current.byId.get("s")?.status, "idle");

    writeFileSync(go, "");
    const { outcome, artifact } = await runtime.wait(result.taskId);
    assert.deepEqual(outcome, { type: "exited", code: 7 });
    assert.equal(artifact, file);
    assert.match(textOf(file), /^one\ntwo\n0\d+\n$/);
    const to = textOf(file).length;
    assert.deepEqual(runtime.unread(result.taskId, "agent"), { from: 0, to });
    await runtime.read(result.taskId, { reader: "agent", maxBytes: 4 });
    assert.deepEqual(runtime.unread(result.taskId, "agent"), { from: 4, to });
    assert.equal(statSync(dirname(file)).mode & 0o777, 0o700);
    for (const name of readdirSync(dirname(file))) {
      assert.equal(statSync(join(dirname(file), name)).mode & 0o777, 0o600, name);
    }
    const types = (await recordedIn(log)).map(({ event }) => event.type);
    assert.ok(types.indexOf("env.built") < types.indexOf("execution.started"));
    assert.ok(types.indexOf("execution.started") < types.indexOf("task.detached"));
  });

  it("runs exactly the bytes that were analysed, in its directory and environment", async () => {
    await using runtime = await opened(scratch());
    const line = `printf '%s|' '$X \\' "$X" "ü
x"; pwd`;
    const options = { detach: true, cwd: "/tmp", env: { X: "a  b\n'" } };
    const { taskId } = await runtime.run(line, options);
    const { artifact = "" } = await runtime.wait(taskId);
    assert.equal(textOf(artifact), `$X \\|a  b\n'|ü\nx|/tmp\n`);
  });

  it("has in its log what it says itself, and nothing of the shells around it", async () => {
    const log = scratch();
    await using runtime = await opened(log);
    // Every bash complains of such a locale.
    const env = { LC_ALL: "xx_XX.UTF-8" };
    const line = "echo said";
    const { output } = await runtime.run(line, { env });
    const { artifact } = await runtime.wait(
      (await runtime.run(line, { env, detach: true })).taskId,
    );
    assert.equal(textOf(artifact ?? ""), output);
  });

  it("has in its log no word of a shell about its stop", async () => {
    await using runtime = await opened(scratch());
    const what = marked();
    const { taskId, artifact = "" } = await runtime.run(`echo ready; ${what}`, { detach: true });
    await until(() => textOf(artifact) === "ready\n" && sleeping(what).length === 1);
    runtime.stop(taskId);
    assert.equal((await runtime.wait(taskId)).outcome.type, "signaled");
    assert.equal(textOf(artifact), "ready\n");
  });

  it("is judged as any other, and runs not at all when it is denied", async () => {
    const log = scratch();
    await using runtime = await createRuntime({
      log,
      cwd: log,
      rules: { allow: ["Bash(*)"], deny: ["Bash(touch *)"] },
    });
    const result = await runtime.run("touch denied", { detach: true });
    assert.equal(result.outcome.type, "denied");
    assert.ok(!existsSync(join(log, "denied")) && !existsSync(join(log, "detached")));
  });

  it("is refused without a directory for its log, and with a limit that nobody would see to", async () => {
    await using memory = await createRuntime({ mode: "bypass" });
    await assert.rejects(
      memory.run("true", { detach: true }),
      /Cannot run a command with detach true: the runtime needs a directory for its log/,
    );
    assert.equal(memory.tasks.current.byId.size, 0);
    await using runtime = await opened(scratch());
    await assert.rejects(
      runtime.run("true", { detach: true, timeoutMs: 5 }),
      /with timeoutMs 5: a detached command outlives/,
    );
  });

  it("is ended by stop with all that it started, by what it is and not by its number alone", async () => {
    const what = marked();
    await using patient = await opened(scratch(), 60_000);
    const line = `setsid ${what} & trap 'echo polite; exit 3' TERM; echo ready; ${what} & wait`;
    const { taskId, artifact = "" } = await patient.run(line, { detach: true });
    await until(() => textOf(artifact) === "ready\n" && sleeping(what).length === 2);
    patient.stop(taskId);
    const { outcome, leftovers } = await patient.wait(taskId);
    assert.deepEqual(outcome, { type: "exited", code: 3, by: "stop" });
    assert.deepEqual(leftovers, []);
    // The shell may still tell how the child ended that it waited for.
    assert.match(textOf(artifact), /^ready\npolite\n(Terminated\n)?$/);
    assert.deepEqual(living(what), []);

    await using runtime = await opened(scratch());
    const stubborn = await runtime.run(`trap '' TERM; echo ready; ${what}; ${what}`, {
      detach: true,
    });
    await until(() => textOf(stubborn.artifact ?? "") === "ready\n" && living(what).length > 0);
    runtime.stop(stubborn.taskId);
    assert.deepEqual((await runtime.wait(stubborn.taskId)).outcome, {
      type: "signaled",
      signal: "SIGKILL",
      by: "stop",
      coreDump: false,
    });
    assert.deepEqual(living(what), []);
  });

  it("is ended in order also when it is to be stopped while its runtime closes", async () => {
    const what = marked();
    const log = scratch();
    const runtime = await opened(log);
    const options = { detach: true };
    const quick = await runtime.run(`${what}; :`, options);
    const stubborn = await runtime.run(`trap '' TERM; echo ready; ${what}; ${what}`, options);
    await until(() => textOf(stubborn.artifact ?? "") === "ready\n" && sleeping(what).length === 2);
    void runtime.stop(quick.taskId);
    const closed = runtime.close();
    void runtime.stop(stubborn.taskId);
    await closed;
    assert.deepEqual(living(what), []);
    const types = (await recordedIn(log)).map(({ event }) => event.type);
    assert.equal(types.filter((type) => type === "execution.closed").length, 2);
  });

  it("tells of a background child that lives on, and not of its own helpers", async () => {
    const what = marked();
    await using runtime = await opened(scratch());
    const { taskId } = await runtime.run(`${what} & ${UNTIL_ASLEEP}; echo answered`, {
      detach: true,
    });
    const { outcome, leftovers } = await runtime.wait(taskId);
    assert.deepEqual(outcome, { type: "exited", code: 0 });
    assert.deepEqual(leftovers.map(({ command }) => command), [what]);
    const [task] = tasksNow([...runtime.tasks.current.byId.values()]);
    assert.deepEqual(task?.leftovers.map(({ command }) => command), [what]);
  });

  it("is stopped after its own end, too, with what it left, by whatever runtime has its directory", async () => {
    const what = marked();
    const log = scratch();
    const first = await opened(log);
    const [early, late] = [
      await first.run(`${what} & exit 4`, { detach: true }),
      await first.run(`setsid ${what} & exit 5`, { detach: true }),
    ];
    for (const { taskId } of [early, late]) {
      assert.equal((await first.wait(taskId)).leftovers.length, 1);
    }
    const { outcome, leftovers } = await stopTask(first, early.taskId);
    assert.deepEqual([outcome, leftovers], [{ type: "exited", code: 4 }, []]);
    assert.equal(sleeping(what).length, 1);
    await first.close();

    const second = await opened(log);
    assert.deepEqual((await stopTask(second, late.taskId)).leftovers, []);
    assert.deepEqual(living(what), []);
    await second.close();
    const types = (await recordedIn(log)).map(({ event }) => event.type);
    assert.equal(types.filter((type) => type === "execution.exited").length, 2);
    assert.equal(types.filter((type) => type === "execution.closed").length, 2);
  });

  it("is known by its output pipe where it shed all else", async () => {
    const what = marked();
    await using runtime = await opened(scratch());
    const line = `setsid env -i ${what} & ${what}; :`;
    const { taskId } = await runtime.run(line, { detach: true });
    await until(() => sleeping(what).length === 2);
    assert.deepEqual((await stopTask(runtime, taskId)).leftovers, []);
    assert.deepEqual(living(what), []);
  });

  it("can be stopped with what it left, too, when it was lost with its wrapper", async () => {
    const what = marked();
    const log = scratch();
    const first = await opened(log);
    const tasks = [];
    for (let i = 0; i < 2; i++) {
      const { taskId, outcome } = await first.run(`${what}; echo over`, { detach: true });
      assert.ok(outcome.type === "detached");
      tasks.push({ taskId, pid: outcome.pid });
    }
    const [early, late] = tasks;
    assert.ok(early && late);
    await until(() => sleeping(what).length === 2);
    await first.close();
    process.kill(early.pid, "SIGKILL");
    // Until it has got a processor to end on, it lives: then it would be stopped and not lost.
    await until(() => !runs(early.pid));
    const second = await opened(log);
    const lost = await stopTask(second, early.taskId);
    assert.deepEqual([lost.outcome.type, lost.leftovers], ["lost", []]);
    await second.close();
    process.kill(late.pid, "SIGKILL");
    await until(() => !runs(late.pid));
    await (await opened(log)).close();
    await using third = await opened(log);
    const known = third.tasks.current.byId.get(late.taskId);
    assert.deepEqual([known?.status, known?.leftovers.length], ["lost", 2]);
    assert.deepEqual((await stopTask(third, late.taskId)).leftovers, []);
    await until(() => living(what).length === 0);
  });

  it("tells of a signal that was sent on request and ended it, also by an earlier host's process", async () => {
    const what = marked();
    const log = scratch();
    const first = await opened(log);
    const [told, killed] = [
      await first.run(`${what}; :`, { detach: true }),
      await first.run(`${what}; :`, { detach: true }),
    ];
    // The shells around it name it as well, and one that has not started it yet is not to be told.
    await until(() => sleeping(what).length === 2);
    const by = { type: "signaled", by: "user", coreDump: false };
    first.signal(told.taskId, "SIGUSR1");
    assert.deepEqual((await first.wait(told.taskId)).outcome, { ...by, signal: "SIGUSR1" });
    await first.close();
    await using second = await opened(log);
    second.signal(killed.taskId, "SIGKILL");
    assert.deepEqual((await second.wait(killed.taskId)).outcome, { ...by, signal: "SIGKILL" });
  });

  it("gets each signal that is sent as soon as it is there", async () => {
    await using runtime = await opened(scratch());
    const outcomes = Array.from({ length: 12 }, async () => {
      const { taskId } = await runtime.run("sleep 5", { detach: true });
      runtime.signal(taskId, "SIGTERM");
      return (await runtime.wait(taskId)).outcome;
    });
    const expected = { type: "signaled", signal: "SIGTERM", by: "user", coreDump: false };
    assert.deepEqual(await Promise.all(outcomes), outcomes.map(() => expected));
  });

  it("goes on when its runtime closes; the next one says how it ended meanwhile", async () => {
    const what = marked();
    const log = scratch();
    const go = join(log, "go");
    const wait = `while ! [ -e ${go} ]; do sleep 0.05; done`;
    const first = await opened(log);
    const ends = await first.run(`${wait}; echo late; kill -9 $$`, { detach: true });
    const stays = await first.run(`echo here; ${what}; :`, { detach: true });
    const attached = await first.run("exit 4");
    await until(() => living(what).length > 0);
    const waits = assert.rejects(
      first.wait(stays.taskId),
      /Cannot wait for .*: its runtime is closing/,
    );
    await first.close();
    await waits;
    assert.equal(first.tasks.current.byId.get(stays.taskId)?.status, "running");

    const second = await opened(log);
    assert.deepEqual(
      [...second.tasks.current.byId.values()].map(({ id, status }) => [id, status]),
      [[ends.taskId, "running"], [stays.taskId, "running"], [attached.taskId, "ended"]],
    );
    await second.run(`touch ${go}`);
    assert.deepEqual((await second.wait(ends.taskId)).outcome, {
      type: "exited",
      code: 137,
      guessedSignal: "SIGKILL",
    });
    second.stop(stays.taskId);
    assert.equal((await second.wait(stays.taskId)).outcome.type, "signaled");
    assert.deepEqual(living(what), []);
    await second.close();

    const events = await recordedIn(log);
    const adopted = events.flatMap(({ event }) =>
      event.type === "task.adopted" ? [event.commandId] : []
    );
    assert.deepEqual(adopted, [ends.taskId, stays.taskId]);
    assert.deepEqual([...fold(tasks, events).byId], [...second.tasks.current.byId]);
    assert.deepEqual([...fold(sessions, events).byId], [...second.sessions.current.byId]);
  });

  it("does not start when its intent cannot be written", async () => {
    const log = scratch();
    const failures: string[] = [];
    const runtime = await createRuntime({
      mode: "bypass",
      log,
      cwd: log,
      onLogFailure: ({ message }) => failures.push(message),
    });
    await runtime.run("true");
    await runtime.flush();
    for (const name of readdirSync(log)) if (name.endsWith(".ndjson")) rmSync(join(log, name));
    const { outcome } = await runtime.run("touch started", { detach: true });
    assert.equal(outcome.type, "spawnFailed");
    assert.ok(!existsSync(join(log, "started")));
    assert.equal(failures.length, 1);
    await runtime.close();
  });

  it("is released by its session, so that the next command has its turn", async () => {
    const what = marked();
    await using runtime = await opened(scratch());
    const first = runtime.start(what, { detach: true, sessionId: "s" });
    const next = await runtime.run("echo next", { sessionId: "s" });
    assert.equal(next.output, "next\n");
    runtime.stop(first.taskId);
    await firstValueFrom(runtime.tasks.changes.pipe(
      filter(({ byId }) => byId.get(first.taskId)?.status === "ended"),
    ));
    assert.deepEqual(living(what), []);
  });
});
