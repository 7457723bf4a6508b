import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { fold } from "../../../src/event/project.ts";
import { OwnedError } from "../../../src/platform/owner/owner-lock.ts";
import { createRuntime } from "../../../src/runtime/create.ts";
import { recoveryOf } from "../../../src/runtime/state/recovery.ts";
import { readState } from "../../../src/runtime/state/read-state.ts";
import type { Runtime } from "../../../src/runtime/runtime.ts";
import { sessions } from "../../../src/session/sessions.ts";
import { tasks } from "../../../src/task/tasks.ts";
import { lives } from "../../event/events.ts";
import { recheck } from "../../event/recheck.ts";
import { scratch } from "../../event/scratch.ts";
import { living, marked, processes, recordedIn, sleeping, startHost, textOf } from "./world.ts";
import { cleanUp } from "../../clean-up.ts";
import { sized } from "../../sized.ts";
import { until } from "../../until.ts";

const opened = (log: string): Promise<Runtime> =>
  createRuntime({ mode: "bypass", log, cwd: "/", graceMs: 300 });

describe("what is recorded of a command whose host died", () => {
  const life =
    lives("a", "s").find((events) => events.some(({ type }) => type === "execution.started")) ??
      [];
  const reasonAfter = (last: string): string | undefined => {
    const until = life.findIndex(({ type }) => type === last) + 1;
    const events = life.slice(0, until).map((event, i) => ({ seq: i + 1, at: i, event }));
    const earlier = { tasks: fold(tasks, events), sessions: fold(sessions, events) };
    const { events: [lost] } = recoveryOf(earlier);
    return lost?.type === "task.lost" ? lost.reason : undefined;
  };

  it("says that it may have run, from the moment at which it could be started", () => {
    assert.equal(reasonAfter("command.admitted"), "Its host died before it was started");
    const unsure = "Its host died when it was to be started: it may have run";
    assert.equal(reasonAfter("env.built"), unsure);
    assert.match(reasonAfter("execution.started") ?? "", /^Its host died while it ran,/);
  });
});

describe("a host that is killed", () => {
  it("leaves no attached process of many, all detached ones, and a log that says what became of each", async (test) => {
    const log = scratch();
    const go = join(log, "go");
    const what = marked();
    const numbers = Array.from({ length: sized(10, 25) }, (_, i) => i);
    const host = await startHost({
      log,
      // Every fifth takes no hint.
      attached: numbers.map((i) => i % 5 === 0 ? `trap '' TERM; ${what}; ${what}` : what),
      detached: numbers.map((i) => `while ! [ -e ${go} ]; do sleep 1; done; exit ${100 + i}`),
    });
    const attached = () => living(what);
    const detachedPids = host.news.detached.map((taskId) => {
      const name = readdirSync(join(log, "detached"))
        .find((name) => name.includes(taskId) && name.endsWith(".pid"));
      return Number(textOf(join(log, "detached", name ?? "")).split("\n")[0]);
    });
    const livingDetached = () => {
      // Whoever adopts orphans may take its time to collect them.
      const all = new Set(
        processes.table().all.filter(({ state }) => state !== "Z").map(({ pid }) => pid),
      );
      return detachedPids.filter((pid) => all.has(pid));
    };
    cleanUp(() => {
      for (const pid of livingDetached()) processes.signalGroup(pid, "SIGKILL");
    });
    await until(() => sleeping(what).length === numbers.length);
    assert.equal(livingDetached().length, numbers.length);

    await host.kill();
    const killed = performance.now();
    await until(() => attached().length === 0, 100);
    const tookMs = performance.now() - killed;
    test.diagnostic(`no attached process was left after ${Math.round(tookMs)} ms`);
    assert.equal(livingDetached().length, numbers.length);

    const statuses = (table: Awaited<ReturnType<typeof readState>>) =>
      [...host.news.attached, ...host.news.detached].map((id) => table.byId.get(id)?.status);
    const expected = [...numbers.map(() => "lost"), ...numbers.map(() => "running")];
    assert.deepEqual(statuses(await readState(log)), expected);

    const opening = performance.now();
    const next = await opened(log);
    test.diagnostic(`recovered in ${Math.round(performance.now() - opening)} ms`);
    assert.deepEqual(statuses(next.tasks.current), expected);
    writeFileSync(go, "");
    const results = await Promise.all(host.news.detached.map((id) => next.wait(id)));
    assert.deepEqual(
      results.map(({ outcome }) => outcome.type === "exited" && outcome.code),
      numbers.map((i) => 100 + i),
    );
    await next.close();
    assert.deepEqual(livingDetached(), []);

    const events = await recordedIn(log);
    assert.deepEqual(events.map(({ seq }) => seq), events.map((_, i) => i + 1));
    assert.deepEqual([...fold(tasks, events).byId], [...next.tasks.current.byId]);
    assert.deepEqual([...fold(sessions, events).byId], [...next.sessions.current.byId]);
    const told = (type: string) =>
      events.flatMap(({ event }) =>
        event.type === type && "commandId" in event ? [event.commandId] : []
      );
    assert.deepEqual(told("task.lost").sort(), [...host.news.attached].sort());
    assert.deepEqual(told("task.adopted").sort(), [...host.news.detached].sort());
  });

  it("has no part in the record of how a detached command ended", async () => {
    const log = scratch();
    const go = join(log, "go");
    const host = await startHost({
      log,
      attached: [],
      detached: [`while ! [ -e ${go} ]; do sleep 0.1; done; echo done; exit 42`],
    });
    const [taskId = ""] = host.news.detached;
    await host.kill();
    writeFileSync(go, "");
    const exit = () => readdirSync(join(log, "detached")).filter((name) => name.endsWith(".exit"));
    await until(() => exit().length === 1);
    assert.equal(textOf(join(log, "detached", exit()[0] ?? "")), "42\n");
    const before = readdirSync(log).filter((name) => name.endsWith(".ndjson"));
    const read = (await readState(log)).byId.get(taskId);
    assert.deepEqual(read?.outcome, { type: "exited", code: 42 });
    assert.deepEqual(readdirSync(log).filter((name) => name.endsWith(".ndjson")), before);

    await using next = await opened(log);
    const { outcome, artifact = "", durationMs } = await next.wait(taskId);
    assert.deepEqual(outcome, { type: "exited", code: 42 });
    assert.equal(textOf(artifact), "done\n");
    assert.ok(durationMs >= 0);
  });

  it("is told lost of a detached command that was killed with its wrapper", async () => {
    const what = marked();
    const log = scratch();
    const host = await startHost({ log, attached: [], detached: [what] });
    const [taskId = ""] = host.news.detached;
    await until(() => sleeping(what).length > 0);
    await host.kill();
    for (const found of living(what)) processes.signal(found, "SIGKILL");
    await until(() => living(what).length === 0);
    await using next = await opened(log);
    assert.deepEqual(next.tasks.current.byId.get(taskId)?.outcome, {
      type: "lost",
      reason: "Its process is gone, and did not record how it ended",
    });
  });

  it("leaves the code of a detached command that its wrapper had only noted when it was killed", async () => {
    const what = marked();
    const log = scratch();
    // What holds the output keeps the wrapper from publishing the code at once.
    const line = `setsid ${what} & exit 7`;
    const host = await startHost({ log, attached: [], detached: [line] });
    const [taskId = ""] = host.news.detached;
    const files = () => readdirSync(join(log, "detached"));
    const noted = () => files().find((name) => name.endsWith(".exit.new")) ?? "";
    await until(() => textOf(join(log, "detached", noted())) === "7\n", 1);
    const pid = files().find((name) => name.endsWith(".pid")) ?? "";
    process.kill(Number.parseInt(textOf(join(log, "detached", pid))), "SIGKILL");
    await host.kill();
    await using next = await opened(log);
    assert.deepEqual((await next.wait(taskId)).outcome, { type: "exited", code: 7 });
    await next.stop(taskId);
  });

  for (
    const [name, event, by] of [
      ["stopped", { type: "execution.stopping", by: "stop" }, "stop"],
      ["sent it", { type: "command.signalled" }, "user"],
    ] as const
  ) {
    it(`is known to have killed a detached command where its log says that it ${name}`, async () => {
      const what = marked();
      const log = scratch();
      const host = await startHost({ log, attached: [], detached: [what] });
      const [commandId = ""] = host.news.detached;
      await until(() => sleeping(what).length > 0);
      await host.kill();
      for (const found of living(what)) processes.signal(found, "SIGKILL");
      await until(() => living(what).length === 0);
      const [segment = ""] = readdirSync(log).filter((name) => name.endsWith(".ndjson"));
      const path = join(log, segment);
      const last = (await recordedIn(log)).at(-1);
      const killed = { ...event, commandId, signal: "SIGKILL" };
      const line = JSON.stringify({ seq: (last?.seq ?? 0) + 1, at: last?.at, event: killed });
      writeFileSync(path, textOf(path) + recheck(line));
      await using next = await opened(log);
      assert.deepEqual(next.tasks.current.byId.get(commandId)?.outcome, {
        ...{ type: "signaled", signal: "SIGKILL", coreDump: false },
        by,
      });
    });
  }

  it("gives its directory up, and what carries its mark is ended by the next owner", async () => {
    const what = marked();
    const log = scratch();
    const host = await startHost({ log, attached: [], detached: [] });
    await assert.rejects(opened(log), OwnedError);
    await host.kill();
    // As if the watchdog had died with it.
    const stray = spawn("sleep", what.split(" ").slice(1), {
      env: { ...process.env, SHELLFLOW_MARK: `${host.news.runtimeId}/task_x` },
      stdio: "ignore",
    });
    const other = spawn("sleep", what.split(" ").slice(1), {
      env: { ...process.env, SHELLFLOW_MARK: `${host.news.runtimeId}x/task_x` },
      stdio: "ignore",
    });
    await until(() => living(what).length === 2);
    const next = await opened(log);
    await until(() => living(what).length === 1);
    assert.deepEqual(living(what).map(({ pid }) => pid), [other.pid]);
    assert.notEqual(stray.pid, other.pid);
    await next.close();
  });

  it("left what gets no grace when its next owner closes at once", async () => {
    const what = marked();
    const log = scratch();
    const host = await startHost({ log, attached: [], detached: [] });
    await host.kill();
    spawn("bash", ["-c", `trap '' TERM; ${what}; ${what}; :`], {
      env: { ...process.env, SHELLFLOW_MARK: `${host.news.runtimeId}/task_x` },
      stdio: "ignore",
    });
    // It has a child once its trap is set.
    await until(() => living(what).length === 2);
    const next = await createRuntime({ mode: "bypass", log, cwd: "/", graceMs: 3_600_000 });
    await next.close({ now: true });
    assert.deepEqual(living(what), []);
  });
});

describe("the recorded identity of a detached process", () => {
  const changes: Readonly<Record<string, (own: string[], bystander: string[]) => string[]>> = {
    "belongs to a process that started at another time": (
      [, startTime = "", boot = ""],
      [pid = ""],
    ) => [pid, startTime, boot],
    "belongs to a process without the mark": (
      [, , boot = ""],
      [pid = "", startTime = ""],
    ) => [pid, startTime, boot],
    "is of another run of the machine": ([pid = "", startTime = ""]) => [pid, startTime, "another"],
  };
  for (const [how, change] of Object.entries(changes)) {
    it(`that ${how} is never signalled by its number`, async () => {
      const what = marked();
      const log = scratch();
      const first = await opened(log);
      const { taskId } = await first.run(`${what}; :`, { detach: true });
      await until(() => sleeping(what).length > 0);
      const task = first.tasks.current.byId.get(taskId)?.detached;
      await first.close();
      assert.ok(task !== undefined);

      const bystander = spawn("sleep", what.split(" ").slice(1), {
        stdio: "ignore",
        detached: true,
      });
      await until(() => living(what).some(({ pid }) => pid === bystander.pid));
      const info = living(what).find(({ pid }) => pid === bystander.pid);
      const own = textOf(task.pidFile).trimEnd().split("\n");
      const [pid = "", startTime = "", bootId = ""] = change(own, [
        String(bystander.pid),
        info?.startTime ?? "",
      ]);
      // The log is what a new owner goes by.
      for (const name of readdirSync(log).filter((name) => name.endsWith(".ndjson"))) {
        const text = readFileSync(join(log, name), "utf8")
          .replaceAll(`"pid":${own[0]}`, `"pid":${pid}`)
          .replaceAll(`"startTime":"${own[1]}"`, `"startTime":"${startTime}"`)
          .replaceAll(`"bootId":"${own[2]}"`, `"bootId":"${bootId}"`);
        writeFileSync(join(log, name), recheck(text));
      }
      const next = await opened(log);
      assert.equal(next.tasks.current.byId.get(taskId)?.status, "lost");
      await next.stop(taskId);
      next.signal(taskId, "SIGKILL");
      await next.close();
      // Who carries the mark of the command is ended by that.
      assert.deepEqual(living(what).map(({ pid }) => pid), [bystander.pid]);
      assert.equal(bystander.exitCode ?? bystander.signalCode, null);
    });
  }
});
