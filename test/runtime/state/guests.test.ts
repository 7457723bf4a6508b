import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, it } from "node:test";
import {
  isRunUpdate,
  type RunRequest,
  type RunUpdate,
} from "../../../src/runtime/control/guest/run-request.ts";
import { method } from "../../../src/control/method.ts";
import type { Answer } from "../../../src/event/permission.ts";
import { withOwner } from "../../../src/runtime/control/with-owner.ts";
import { ask, type AskRequest, control } from "../../../src/runtime/control/protocol.ts";
import { createRuntime } from "../../../src/runtime/create.ts";
import type { RuntimeOptions } from "../../../src/runtime/options/options.ts";
import type { RunResult } from "../../../src/runtime/call/result.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import { scratch } from "../../event/scratch.ts";
import { steeredClock } from "../../steered-clock.ts";
import { until } from "../../until.ts";

const request = (command: string, more: Partial<RunRequest> = {}): RunRequest => ({
  command,
  session: { name: "guest", gone: "anew", cwd: scratch() },
  output: true,
  events: false,
  asks: false,
  options: {},
  permission: { mode: "bypass" },
  ...more,
});

/** A command that a person is asked about. */
const asking = (command: string): RunRequest =>
  request(command, { asks: true, permission: { mode: "default" } });

/** A runtime with guests, and a promise that it is to end. */
async function hosted(options: Pick<RuntimeOptions, "clock"> = {}) {
  const log = scratch();
  const { promise: ended, resolve: onEnd } = deferred();
  const runtime = await createRuntime({ log, cwd: "/", guests: { idleMs: 0, onEnd }, ...options });
  /** The task that was asked for last. */
  const newest = () => [...runtime.tasks.current.byId.values()].at(-1);
  return { log, runtime, ended, newest, [Symbol.asyncDispose]: () => runtime.close() };
}

function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

type Listener = (update: RunUpdate) => Promise<void> | void;
type Asked = (question: AskRequest, signal: AbortSignal) => Answer | Promise<Answer>;

/** Run to the end, and collect the updates. */
async function run(
  log: string,
  request: RunRequest,
  listener: Listener = () => {},
  asked: Asked = () => "deny",
  signal?: AbortSignal,
): Promise<{ readonly result: RunResult; readonly updates: readonly RunUpdate[] }> {
  const updates: RunUpdate[] = [];
  const methods = [method(ask, (question, { signal }) => asked(question, signal))];
  const result = await withOwner(
    log,
    (host) =>
      host.request(control.run, request, {
        ...(signal && { signal }),
        onUpdate: async (update) => {
          assert.ok(isRunUpdate(update));
          updates.push(update);
          await listener(update);
        },
      }),
    { clock: systemClock, methods },
  );
  return { result, updates };
}

describe("a runtime that is asked to end", () => {
  const end = (log: string) => withOwner(log, (host) => host.request(control.end, {}));

  it("answers once it closes", async () => {
    await using host = await hosted();
    const closed = host.ended.then(() => host.runtime.close());
    assert.equal(await end(host.log), true);
    await closed;
  });

  it("says so where its program does not close it", async () => {
    const clock = steeredClock(100);
    await using host = await hosted({ clock });
    await assert.rejects(end(host.log), /has not begun within 5 seconds; end the program itself/);
  });
});

describe("a guest of a runtime", () => {
  it("gets its session and its output, in this order, and then the result", async () => {
    await using host = await hosted();
    const { result, updates } = await run(host.log, request("echo one; echo two"));
    assert.deepEqual(result.outcome, { type: "exited", code: 0 });
    assert.deepEqual([...new Set(updates.map(({ type }) => type))], ["session", "output"]);
    const { updates: events } = await run(
      host.log,
      request("echo three", { output: false, events: true }),
    );
    const recorded = events.flatMap((one) => one.type === "event" ? [one.recorded] : []);
    assert.deepEqual(
      recorded.map(({ seq }) => seq),
      recorded.map((_, i) => i + (recorded[0]?.seq ?? 0)),
    );
    assert.ok(recorded.some(({ event }) => event.type === "execution.exited"));
  });

  it("is asked, and its answer counts for its command alone", async () => {
    await using host = await hosted();
    const cwd = scratch();
    const file = join(cwd, "file");
    const touch = (answer: "once" | "deny") =>
      run(host.log, asking(`touch ${file}`), undefined, ({ command, concerns }) => {
        assert.equal(command, `touch ${file}`);
        assert.match(concerns[0]?.reason ?? "", /no rule covers|outside/);
        return answer;
      });
    const no = await touch("deny");
    assert.equal(no.result.outcome.type, "denied");
    assert.ok(!existsSync(file));
    const yes = await touch("once");
    assert.deepEqual(yes.result.outcome, { type: "exited", code: 0 });
    assert.ok(existsSync(file));
  });

  it("sees its question withdrawn when the command is stopped or its request cancelled", async () => {
    await using host = await hosted();
    const cancelled = new AbortController();
    const ends = [
      () => void host.runtime.stop(host.newest()?.id ?? ""),
      () => cancelled.abort(),
    ];
    for (const end of ends) {
      let withdrawn = false;
      const { result } = await run(
        host.log,
        asking("touch x"),
        undefined,
        (_, signal) =>
          new Promise((resolve) => {
            signal.addEventListener("abort", () => {
              withdrawn = true;
              resolve("deny");
            });
            end();
          }),
        cancelled.signal,
      );
      assert.equal(result.outcome.type, "aborted");
      await until(() => withdrawn);
    }
  });

  it("ends its command when it disconnects, also one that is asked about", async () => {
    await using host = await hosted();
    const never = () => new Promise<Answer>(() => {});
    for (const line of [request("sleep 72.7"), asking("sleep 72.7")]) {
      const began = host.runtime.tasks.current.byId.size;
      const result = withOwner(host.log, async (owner) => {
        const answer = owner.request(control.run, line);
        answer.catch(() => {});
        await until(() => host.runtime.tasks.current.byId.size > began);
        owner.close();
        return await answer;
      }, { clock: systemClock, methods: [method(ask, never)] });
      await assert.rejects(result, /it disconnected without an answer/);
      await until(() => host.newest()?.endedAt !== undefined);
    }
  });

  it("can promote its command, or detach it", async () => {
    await using host = await hosted();
    const { result } = await run(host.log, request("sleep 72.8"), async ({ type }) => {
      if (type !== "session") return;
      await until(() => host.newest() !== undefined);
      host.runtime.promote(host.newest()?.id ?? "");
    });
    assert.deepEqual(result.outcome, { type: "promoted", by: "user" });
    await pause(50);
    assert.equal(host.runtime.tasks.current.byId.get(result.taskId)?.endedAt, undefined);
    host.runtime.stop(result.taskId);
    await host.runtime.wait(result.taskId);
    const alone = await run(host.log, request("echo alone", { options: { detach: true } }));
    assert.equal(alone.result.outcome.type, "detached");
    await host.runtime.wait(alone.result.taskId);
  });

  it("is refused what cannot be run, and the session lives", async () => {
    await using host = await hosted();
    const rows: readonly (readonly [RunRequest, RegExp])[] = [
      [request(" "), /Cannot run a command with command " ": it is empty/],
      [
        request("true", { permission: { rules: { allow: ["Bash("] } } }),
        /rules\.allow\.0 "Bash\(": it is neither/,
      ],
      [request("true", { options: { env: { "1": "x" } } }), /Cannot run a command with env "1"/],
      [
        request("true", { session: { name: "a/b", gone: "anew", cwd: "/" } }),
        /session\.name "a\/b": a name has/,
      ],
      [request("true", { session: { gone: "anew", cwd: "here" } }), /session\.cwd "here": /],
      [request("true", { options: { detach: true, timeoutMs: 5 } }), /timeoutMs 5/],
    ];
    for (const [asked, message] of rows) await assert.rejects(run(host.log, asked), message);
    const { result } = await run(host.log, request("echo fine"));
    assert.equal(result.output, "fine\n");
  });
});

describe("a runtime with guests", () => {
  it("ends when its last session is ended, or on request, and takes no more commands", async () => {
    await using host = await hosted();
    await run(host.log, request("true"));
    await withOwner(host.log, (owner) => owner.request(control.endSession, { name: "guest" }));
    await host.ended;
    await assert.rejects(run(host.log, request("true")), { name: "RefusedError", closing: true });
    await using other = await hosted();
    await run(other.log, request("true"));
    const closed = other.ended.then(() => other.runtime.close());
    await withOwner(other.log, (owner) => owner.request(control.end, {}));
    await closed;
  });
});
