import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { concatWith, from, map, mergeMap, NEVER, type Observable, throwError } from "rxjs";
import type { CommandAdmitted, CommandRequested } from "../../src/event/command.ts";
import { endsCommand, type RuntimeEvent } from "../../src/event/event.ts";
import type { ExecutorMessage } from "../../src/execution/executor.ts";
import { VirtualClock } from "../../src/platform/virtual-clock.ts";
import { openSession, type Session } from "../../src/session/actor.ts";

type Pipe = (events: Observable<CommandAdmitted>) => Observable<RuntimeEvent>;

const requested = (commandId: string, cwd?: string): CommandRequested => ({
  type: "command.requested",
  commandId,
  sessionId: "s",
  command: commandId,
  origin: "model",
  limits: {},
  ...(cwd !== undefined && { cwd }),
});
const started = (commandId: string): RuntimeEvent => ({
  type: "execution.started",
  commandId,
  executor: "fake",
  pid: 0,
});
const exited = (commandId: string): RuntimeEvent => ({
  type: "execution.exited",
  commandId,
  outcome: { type: "exited", code: 0 },
  durationMs: 0,
  leftovers: [],
});
const history = (...events: RuntimeEvent[]): Observable<RuntimeEvent> => from(events);
const atOnce: Pipe = (events) =>
  events.pipe(mergeMap((e) => [e, started(e.commandId), exited(e.commandId)]));
const forever: Pipe = (events) =>
  events.pipe(mergeMap((e) => history(e, started(e.commandId)).pipe(concatWith(NEVER))));

interface World {
  readonly session: Session;
  readonly seen: string[];
  readonly told: string[];
  readonly run: (id: string, cwd?: string) => void;
}

function world(
  pipeline: Pipe,
  onEvent: (event: RuntimeEvent, world: World) => void = () => {},
  { opens = true }: { readonly opens?: boolean } = {},
): World {
  const seen: string[] = [];
  const told: string[] = [];
  let made: World | undefined;
  const session = openSession({
    id: "s",
    cwd: "/",
    pipeline,
    record: (event) => {
      seen.push("commandId" in event ? `${event.commandId} ${event.type}` : event.type);
      if (made !== undefined) onEvent(event, made);
    },
    executor: {
      send: (id: string, message: ExecutorMessage) => {
        told.push(`${id} ${message.type}`);
        return true;
      },
    },
    clock: new VirtualClock(),
    checkDirectory: (path) => path === "/gone" ? "no such directory" : undefined,
  });
  if (opens) session.send({ type: "open" });
  return made = {
    session,
    seen,
    told,
    run: (id, cwd) => session.send({ type: "run", request: requested(id, cwd) }),
  };
}

describe("a session", () => {
  it("runs one command at a time, in order", () => {
    const { seen, run } = world(atOnce);
    run("a");
    run("b");
    assert.deepEqual(seen, [
      "session.opened",
      ...["a", "b"].flatMap((id) => [
        `${id} command.requested`,
        `${id} command.admitted`,
        `${id} execution.started`,
        `${id} execution.exited`,
      ]),
    ]);
  });

  it("keeps the second waiting while the first one runs", () => {
    const { seen, run } = world(forever);
    run("a");
    run("b");
    assert.deepEqual(seen.at(-1), "b command.requested");
  });

  it("takes a message that is sent from inside an event", () => {
    const { seen, run } = world(atOnce, (event, { run }) => {
      if (event.type === "command.requested" && event.commandId === "a") run("b");
    });
    run("a");
    assert.deepEqual(seen.filter((line) => line.endsWith("exited")), [
      "a execution.exited",
      "b execution.exited",
    ]);
  });

  it("never admits a command that was cancelled while it waited", () => {
    const { session, seen, run } = world(forever);
    run("a");
    run("b");
    session.send({ type: "cancel", commandId: "b", by: "abort" });
    session.send({ type: "cancel", commandId: "b", by: "abort" });
    assert.deepEqual(seen.filter((line) => line.startsWith("b")), [
      "b command.requested",
      "b command.cancelled",
    ]);
  });

  it("stops the stages before they act when the command is cancelled on an early event", () => {
    let executed = 0;
    const { seen, run } = world(
      (events) =>
        events.pipe(
          mergeMap((e) => [e, { type: "command.parsed" } as never]),
          map((event: RuntimeEvent) => {
            if (event.type === "command.parsed") executed++;
            return event;
          }),
        ),
      (event, { session }) => {
        if (event.type === "command.admitted") {
          session.send({ type: "cancel", commandId: event.commandId, by: "abort" });
        }
      },
    );
    run("a");
    assert.equal(seen.at(-1), "a command.cancelled");
    assert.equal(executed, 0);
  });

  it("tells the executor to stop a command that runs, and waits for its end", () => {
    const { session, told, seen, run } = world(forever);
    run("a");
    session.send({ type: "cancel", commandId: "a", by: "stop" });
    assert.deepEqual(told, ["a stop"]);
    assert.equal(seen.at(-1), "a execution.started");
  });

  it("withdraws the question when a command that is asked about is cancelled", () => {
    const asks: Pipe = (events) =>
      events.pipe(mergeMap((e) =>
        history(e, {
          type: "permission.asked",
          commandId: e.commandId,
          askId: "q",
          concerns: [],
        }).pipe(concatWith(NEVER))
      ));
    const { session, seen, run } = world(asks);
    run("a");
    run("b");
    session.send({ type: "cancel", commandId: "a", by: "abort" });
    assert.ok(seen.indexOf("a permission.withdrawn") < seen.indexOf("a command.cancelled"));
    assert.ok(seen.includes("b command.admitted"), "the next one has its turn");
  });

  it("turns a bug in a stage into the end of that command alone", () => {
    const { seen, run } = world((events) =>
      events.pipe(
        mergeMap((e) =>
          e.commandId === "a"
            ? throwError(() => new Error("boom"))
            : history(e, started("b"), exited("b"))
        ),
      )
    );
    run("a");
    run("b");
    assert.ok(seen.includes("a execution.failed"));
    assert.ok(seen.includes("b execution.exited"));
  });

  it("turns stages that fall silent into the end of the command", () => {
    const { seen, run } = world((events) => events);
    run("a");
    assert.equal(seen.at(-1), "a execution.failed");
  });

  it("rejects a command whose directory is gone when its turn comes, and goes on", () => {
    const { seen, run } = world(atOnce);
    run("a", "/gone");
    run("b");
    assert.ok(seen.includes("a command.rejected"));
    assert.ok(seen.includes("b execution.exited"));
  });

  it("closes after its queue, or at once with everything in it", () => {
    const gentle = world(atOnce);
    gentle.run("a");
    gentle.session.send({ type: "close", reason: "done", now: false });
    assert.equal(gentle.seen.at(-1), "session.closed");
    gentle.run("b");
    assert.deepEqual(gentle.seen.slice(-2), ["b command.requested", "b command.cancelled"]);

    const abrupt = world(forever);
    abrupt.run("a");
    abrupt.run("b");
    abrupt.session.send({ type: "close", reason: "now", now: true });
    assert.ok(abrupt.seen.includes("b command.cancelled"));
    assert.deepEqual(abrupt.told, ["a stop"]);
    assert.ok(!abrupt.seen.includes("session.closed"), "the command that runs has not ended");
  });

  it("takes commands before it opens, and gives them their turn after that", () => {
    const { session, seen, run } = world(atOnce, undefined, { opens: false });
    run("a");
    run("b");
    session.send({ type: "cancel", commandId: "a", by: "stop" });
    session.send({ type: "close", reason: "done", now: false });
    assert.ok(session.busy);
    session.send({ type: "open" });
    assert.deepEqual(seen, [
      "a command.requested",
      "b command.requested",
      "a command.cancelled",
      "session.opened",
      "b command.admitted",
      "b execution.started",
      "b execution.exited",
      "session.closed",
    ]);
  });

  it("gives each command exactly one end, whatever is sent when", () => {
    const message = fc.oneof(
      fc.record({ type: fc.constant("run" as const), id: fc.integer({ min: 0, max: 9 }) }),
      fc.record({ type: fc.constant("cancel" as const), id: fc.integer({ min: 0, max: 9 }) }),
      fc.record({ type: fc.constant("close" as const), now: fc.boolean() }),
    );
    fc.assert(fc.property(fc.array(message, { maxLength: 40 }), (messages) => {
      const ends = new Map<string, number>();
      const { session } = world(atOnce, (event) => {
        if (endsCommand(event)) {
          ends.set(event.commandId, (ends.get(event.commandId) ?? 0) + 1);
        }
      });
      const asked = new Set<string>();
      for (const message of messages) {
        if (message.type === "close") {
          session.send({ type: "close", reason: "r", now: message.now });
        } else if (message.type === "cancel") {
          session.send({ type: "cancel", commandId: `c${message.id}`, by: "stop" });
        } else if (!asked.has(`c${message.id}`)) {
          asked.add(`c${message.id}`);
          session.send({ type: "run", request: requested(`c${message.id}`) });
        }
      }
      assert.deepEqual([...ends.keys()].sort(), [...asked].sort());
      assert.ok([...ends.values()].every((count) => count === 1));
    }));
  });
});
