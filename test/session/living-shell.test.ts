import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { concatWith, from, mergeMap, NEVER, type Observable } from "rxjs";
import type {
  CommandAdmitted,
  CommandRequested,
  Order,
  ShellState,
} from "../../src/event/command.ts";
import type { RuntimeEvent } from "../../src/event/event.ts";
import type { ShellAfter, ShellReset } from "../../src/event/execution.ts";
import { VirtualClock } from "../../src/platform/virtual-clock.ts";
import { openSession, type Session, type SessionOptions } from "../../src/session/actor.ts";

const requested = (commandId: string, more: Partial<CommandRequested> = {}): CommandRequested => ({
  type: "command.requested",
  commandId,
  sessionId: "s",
  command: commandId,
  origin: "model",
  limits: {},
  ...more,
});

interface Life {
  readonly startedWith?: ShellReset;
  readonly fellBack?: boolean;
  readonly left?: Partial<ShellAfter>;
  readonly hangs?: boolean;
}

/** What a shell would tell of each command. */
const shells =
  (lives: Readonly<Record<string, Life>>) =>
  (events: Observable<CommandAdmitted>): Observable<RuntimeEvent> =>
    events.pipe(mergeMap((admitted) => {
      const { commandId, order } = admitted;
      const { startedWith, fellBack, left, hangs } = lives[commandId] ?? {};
      const told: RuntimeEvent[] = [admitted];
      if (fellBack) {
        const type = "execution.fellBack";
        told.push({ type, commandId, from: "shell", to: "process", reason: "none" });
      }
      told.push({
        type: "execution.started",
        commandId,
        executor: "fake",
        pid: 0,
        ...(startedWith && { reset: startedWith }),
      });
      if (hangs) return from(told).pipe(concatWith(NEVER));
      told.push({
        type: "execution.exited",
        commandId,
        outcome: { type: "exited", code: 0 },
        durationMs: 0,
        leftovers: [],
        ...(order.shell && !fellBack && { shell: { cwd: order.cwd, state: {}, ...left } }),
      });
      return from(told);
    }));

interface World {
  readonly session: Session;
  readonly clock: VirtualClock;
  readonly seen: RuntimeEvent[];
  readonly released: string[];
  readonly orders: Order[];
  readonly run: (id: string, more?: Partial<CommandRequested>) => void;
}

function world(
  lives: Readonly<Record<string, Life>>,
  { opens = true, ...more }: Partial<SessionOptions> & { readonly opens?: boolean } = {},
  onEvent: (event: RuntimeEvent, session: Session) => void = () => {},
): World {
  const clock = new VirtualClock();
  const seen: RuntimeEvent[] = [];
  const released: string[] = [];
  const orders: Order[] = [];
  let made: Session | undefined = undefined;
  const session = openSession({
    id: "s",
    cwd: "/there/a",
    pipeline: shells(lives),
    record: (event) => {
      seen.push(event);
      if (event.type === "command.admitted") orders.push(event.order);
      if (made !== undefined) onEvent(event, made);
    },
    executor: { send: () => true, release: (id, why) => released.push(`${id} ${why}`) },
    clock,
    checkDirectory: () => undefined,
    choose: ({ executor }) => executor && { kind: executor, reason: "asked" },
    ...more,
  });
  if (opens) session.send({ type: "open" });
  made = session;
  return {
    session,
    clock,
    seen,
    released,
    orders,
    run: (id, more) =>
      session.send({ type: "run", request: requested(id, { executor: "shell", ...more }) }),
  };
}

const types = (seen: readonly RuntimeEvent[]) => seen.map(({ type }) => type);
const ofSession = (seen: readonly RuntimeEvent[]) =>
  seen.filter(({ type }) => type.startsWith("session.")).slice(1);

describe("a session with a shell", () => {
  it("moves with it, and says once which names it has", () => {
    const state: ShellState = { functions: ["git"], aliases: [] };
    const { seen, run, orders } = world({
      a: { left: { cwd: "/tmp", state } },
      b: { left: { cwd: "/tmp", state: { functions: ["git"], variables: [] } } },
      c: { left: { cwd: "/tmp" } },
    });
    for (const id of ["a", "b", "c", "d"]) run(id);
    assert.deepEqual(ofSession(seen), [
      { type: "session.moved", sessionId: "s", cwd: "/tmp" },
      { type: "session.stateReported", sessionId: "s", state },
      { type: "session.stateReported", sessionId: "s", state: {} },
    ]);
    assert.deepEqual(orders.map(({ cwd }) => cwd), ["/there/a", "/tmp", "/tmp", "/tmp"]);
    assert.deepEqual(orders.map(({ state }) => state?.functions), [
      undefined,
      ["git"],
      ["git"],
      undefined,
    ]);
  });

  it("says in the order whose shell it is, and where that goes back", () => {
    const { run, orders } = world({});
    run("a");
    run("b", { cwd: "/elsewhere" });
    run("c", { executor: "process" });
    assert.deepEqual(orders.map(({ shell }) => shell), [
      {},
      { returns: "/there/a" },
      undefined,
    ]);
    assert.equal(orders[2]?.state, undefined, "a fresh process knows none of its names");
  });

  it("has moved before anybody can act on the end of the command", () => {
    const { seen, run, orders } = world({ a: { left: { cwd: "/tmp" } } }, {}, (event, session) => {
      if (event.type !== "execution.exited" || event.commandId !== "a") return;
      session.send({ type: "run", request: requested("b", { executor: "shell" }) });
    });
    run("a");
    assert.deepEqual(types(seen).slice(4, 8), [
      "execution.exited",
      "session.moved",
      "command.requested",
      "command.admitted",
    ]);
    assert.equal(orders[1]?.cwd, "/tmp");
  });

  it("tells what was lost when its shell began anew, before the command or by it", () => {
    const reset: ShellReset = { reason: "it was killed", lost: ["functions"] };
    const { seen, run } = world({ a: { left: { reset } }, b: { startedWith: reset } });
    run("a");
    run("b");
    assert.deepEqual(ofSession(seen), [
      { type: "session.reset", sessionId: "s", ...reset },
      { type: "session.reset", sessionId: "s", ...reset },
    ]);
  });

  it("goes on in the nearest directory that is left, without what was meant for its own", () => {
    const { session, clock, seen, run, orders } = world({}, {
      cwd: "/there/a/b/c",
      checkDirectory: (path) => path.startsWith("/there/a") ? "no such directory" : undefined,
      opens: false,
    });
    run("a");
    run("b");
    run("placed", { cwd: "/tmp", executor: "process" });
    seen.splice(0);
    session.send({ type: "open" });
    run("c");
    clock.advance(0);
    const reason =
      'Cannot run in "/there/a/b/c": no such directory; the session goes on in "/there"';
    assert.deepEqual(types(seen.splice(0, 3)), [
      "session.opened",
      "command.requested",
      "command.admitted",
    ]);
    assert.deepEqual(seen.splice(0, 4), [
      {
        type: "session.moved",
        sessionId: "s",
        cwd: "/there",
        reason: 'Cannot stay in "/there/a/b/c": no such directory',
      },
      { type: "command.rejected", commandId: "a", reason },
      { type: "command.rejected", commandId: "b", reason },
      { type: "command.rejected", commandId: "c", reason },
    ]);
    run("after");
    assert.deepEqual(orders.slice(1).map(({ cwd }) => cwd), ["/tmp", "/there"]);
    run("d", { cwd: "/there/a" });
    assert.equal(seen.at(-1)?.type, "command.rejected");
  });

  it("stays where it was removed when it takes one command only", () => {
    const { seen, run } = world({}, { checkDirectory: () => "no such directory", moves: false });
    run("a");
    assert.deepEqual(types(seen).slice(2), ["command.admitted", "command.rejected"]);
  });

  it("rejects a call that would have to wait, when that is asked for", () => {
    const { session, seen, run } = world({ a: { hangs: true } });
    const unlessBusy = (id: string) =>
      session.send({ type: "run", request: requested(id), unlessBusy: true });
    run("a");
    unlessBusy("b");
    assert.deepEqual(seen.at(-1), {
      type: "command.rejected",
      commandId: "b",
      reason: 'Cannot run in session "s": it is busy with "a"',
    });
    const idle = world({});
    idle.session.send({ type: "run", request: requested("a"), unlessBusy: true });
    assert.equal(idle.seen.at(-1)?.type, "execution.exited");
  });

  it("frees its shell when it rests, if it has one and nothing uses it, and still knows it", () => {
    const state: ShellState = { aliases: ["ls"] };
    const { session, seen, released, run, orders } = world({
      a: { left: { state } },
      b: { hangs: true },
    });
    session.send({ type: "rest" });
    assert.deepEqual(released, [], "there is no shell yet");
    run("a");
    session.send({ type: "rest" });
    assert.deepEqual(released, ["s idle"]);
    assert.deepEqual(types(ofSession(seen)), ["session.stateReported"]);
    run("b");
    assert.deepEqual(orders[1]?.state, state, "some of it may be restored");
    session.send({ type: "rest" });
    assert.deepEqual(released, ["s idle"], "it is in use");
  });

  it("gives its shell back when it closes, and none if all fell back to processes", () => {
    const { session, released, run } = world({});
    run("a");
    session.send({ type: "close", reason: "done", now: false });
    assert.deepEqual(released, ["s closed"]);
    const none = world({ a: { fellBack: true } });
    none.run("a");
    none.session.send({ type: "close", reason: "done", now: false });
    assert.deepEqual(none.released, []);
  });
});
