import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, it } from "node:test";
import { ownerAt } from "../../../src/runtime/control/client.ts";
import type { RunNews, RunRequest } from "../../../src/runtime/control/guest/run-protocol.ts";
import { type HostConversation, meetHost } from "../../../src/runtime/control/host-conversation.ts";
import { createRuntime } from "../../../src/runtime/create.ts";
import type { RunResult } from "../../../src/runtime/result.ts";
import { type Clock, systemClock } from "../../../src/platform/clock.ts";
import { scratch } from "../../event/scratch.ts";
import { steeredClock } from "../../steered-clock.ts";
import { until } from "../../until.ts";

const request = (command: string, news: Partial<RunRequest> = {}): RunRequest => ({
  op: "run",
  command,
  session: { name: "guest", gone: "anew", cwd: scratch() },
  show: "output",
  asks: false,
  options: {},
  permission: { mode: "bypass" },
  ...news,
});

/** A runtime with guests, which says when it is to end. */
async function hosted(idleMs = 0, clock: Clock = systemClock) {
  const log = scratch();
  const { promise: ended, resolve: onEnd } = deferred();
  const runtime = await createRuntime({ log, cwd: "/", clock, guests: { idleMs, onEnd } });
  return { log, runtime, ended, [Symbol.asyncDispose]: () => runtime.close() };
}

function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

async function met(log: string): Promise<HostConversation> {
  const host = await meetHost(log);
  assert.ok(host !== undefined);
  return host;
}

/** Run to the end, and collect what is told. */
async function heard(
  log: string,
  asked: RunRequest,
  hear: (news: RunNews) => Promise<void> | void = () => {},
): Promise<{ readonly result: RunResult; readonly news: readonly RunNews[] }> {
  const host = await met(log);
  const news: RunNews[] = [];
  try {
    const result = await host.run(asked, (one) => {
      news.push(one);
      return hear(one);
    });
    return { result, news };
  } finally {
    host.close();
  }
}

describe("a guest of a runtime", () => {
  it("hears of its session, its command and its output, in this order, and then the result", async () => {
    await using host = await hosted();
    const { result, news } = await heard(host.log, request("echo one; echo two"));
    assert.deepEqual(result.outcome, { type: "exited", code: 0 });
    assert.deepEqual([...new Set(news.map(({ type }) => type))], ["session", "accepted", "output"]);
    const { news: events } = await heard(host.log, request("echo three", { show: "events" }));
    const told = events.flatMap((one) => one.type === "event" ? [one.recorded] : []);
    assert.deepEqual(told.map(({ seq }) => seq), told.map((_, i) => i + (told[0]?.seq ?? 0)));
    assert.ok(told.some(({ event }) => event.type === "execution.exited"));
  });

  it("is asked, and answers; what it answers counts for its command alone", async () => {
    await using host = await hosted();
    const cwd = scratch();
    const touch = (answer: "once" | "deny") =>
      heard(
        host.log,
        request(`touch ${join(cwd, "file")}`, { asks: true, permission: { mode: "default" } }),
        async (news) => {
          if (news.type !== "asked") return;
          assert.match(news.concerns[0]?.reason ?? "", /no rule covers|outside/);
          await (await ownerAt(host.log))?.answer(news.askId, answer);
        },
      );
    const no = await touch("deny");
    assert.equal(no.result.outcome.type, "denied");
    assert.ok(!existsSync(join(cwd, "file")));
    const yes = await touch("once");
    assert.deepEqual(yes.result.outcome, { type: "exited", code: 0 });
    assert.ok(existsSync(join(cwd, "file")));
    await assert.rejects(
      async () => await (await ownerAt(host.log))?.answer("ask_none", "once"),
      /Cannot answer question "ask_none": it is not open any more/,
    );
  });

  it("hears that its question needs no answer any more, when the command is stopped", async () => {
    await using host = await hosted();
    const { result, news } = await heard(
      host.log,
      request("touch x", { asks: true, permission: { mode: "default" } }),
      ({ type }) => {
        const [task] = host.runtime.tasks.current.byId.values();
        if (type === "asked" && task !== undefined) host.runtime.stop(task.id);
      },
    );
    assert.equal(result.outcome.type, "aborted");
    assert.ok(news.some(({ type }) => type === "withdrawn"));
  });

  it("ends its command when it hangs up, also one that is asked about", async () => {
    await using host = await hosted();
    for (const permission of [{ mode: "bypass" }, { mode: "default" }] as const) {
      const conversation = await met(host.log);
      const told = deferred();
      const result = conversation.run(
        request("sleep 72.7", { asks: true, permission }),
        ({ type }) => type === "asked" || type === "accepted" ? told.resolve() : undefined,
      );
      await told.promise;
      conversation.close();
      await assert.rejects(result, /^Error: Cannot tell what became of "sleep 72\.7": its host is/);
      const all = () => [...host.runtime.tasks.current.byId.values()];
      while (all().some(({ endedAt }) => endedAt === undefined)) await pause(10);
    }
  });

  it("goes on without a command that was promoted, or that is on its own", async () => {
    await using host = await hosted();
    const { result } = await heard(host.log, request("sleep 72.8"), (news) => {
      if (news.type === "accepted") host.runtime.promote(news.taskId);
    });
    assert.deepEqual(result.outcome, { type: "promoted", by: "user" });
    await pause(50);
    assert.equal(host.runtime.tasks.current.byId.get(result.taskId)?.endedAt, undefined);
    host.runtime.stop(result.taskId);
    await host.runtime.wait(result.taskId);
    const alone = await heard(host.log, request("echo alone", { options: { detach: true } }));
    assert.equal(alone.result.outcome.type, "detached");
    await host.runtime.wait(alone.result.taskId);
  });

  it("is refused what cannot be run, and the session lives", async () => {
    await using host = await hosted();
    const rows: readonly (readonly [RunRequest, RegExp])[] = [
      [request(" "), /Cannot run a command with command " ": it is empty/],
      [request("true", { permission: { rules: { allow: ["Bash("] } } }), /Cannot read the rule/],
      [request("true", { options: { env: { "1": "x" } } }), /Cannot run a command with env "1"/],
      [request("true", { session: { name: "a/b", gone: "anew", cwd: "/" } }), /session\.name: /],
      [request("true", { session: { gone: "anew", cwd: "here" } }), /session\.cwd: /],
      [request("true", { options: { detach: true, timeoutMs: 5 } }), /timeoutMs 5/],
    ];
    for (const [asked, message] of rows) await assert.rejects(heard(host.log, asked), message);
    const { result } = await heard(host.log, request("echo fine"));
    assert.equal(result.output, "fine\n");
  });
});

describe("a runtime with guests", () => {
  it("is to end when its last session is ended, or somebody says so", async () => {
    await using host = await hosted();
    await heard(host.log, request("true"));
    await (await ownerAt(host.log))?.endSession("guest");
    await host.ended;
    assert.equal(await meetHost(host.log), undefined);
    await using other = await hosted();
    await heard(other.log, request("true"));
    await (await ownerAt(other.log))?.end();
    await other.ended;
  });

  it("is to end when nobody has wanted it for a while", async () => {
    // The guest has that long to come.
    const clock = steeredClock();
    await using host = await hosted(600_000, clock);
    const { result } = await heard(host.log, request("echo wanted"));
    assert.equal(result.output, "wanted\n");
    let ended = false;
    void host.ended.then(() => (ended = true));
    // The host may hear later than the guest that this one has hung up.
    await until(() => {
      clock.forward(600_000);
      return ended;
    });
  });
});
