import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { Recorded, RuntimeEvent } from "../../src/event/event.ts";
import { fold } from "../../src/event/project.ts";
import {
  sessions,
  sessionsProjection,
  type SessionTable,
  type SessionView,
} from "../../src/session/sessions.ts";
import { histories, lives } from "../event/events.ts";
import { isHot } from "../../src/session/hot.ts";

const recorded = (events: readonly RuntimeEvent[]): readonly Recorded[] =>
  events.map((event, i) => ({ seq: i + 1, at: 1000 + i, event }));
const given = (...events: RuntimeEvent[]): SessionTable => fold(sessions, recorded(events));
const session = (...events: RuntimeEvent[]): SessionView | undefined =>
  given(...events).byId.get("s");

const opened: RuntimeEvent = { type: "session.opened", sessionId: "s", cwd: "/home" };
const closed: RuntimeEvent = { type: "session.closed", sessionId: "s", reason: "done" };
const life = (id: string, number: number, length?: number): readonly RuntimeEvent[] =>
  (lives(id, "s")[number] ?? []).slice(0, length);
const EXITED = 6;
const CANCELLED = 0;

describe("sessions", () => {
  it("are idle once opened", () => {
    assert.deepEqual(session(opened), {
      id: "s",
      cwd: "/home",
      status: "idle",
      running: false,
      queued: 0,
      open: 0,
      resets: 0,
      openedAt: 1000,
    });
  });

  it("count the commands that wait, and name the one whose turn it is", () => {
    const view = session(opened, ...life("a", EXITED, 2), ...life("b", EXITED, 1));
    assert.equal(view?.status, "busy");
    assert.equal(view?.current, "a");
    assert.equal(view?.queued, 1);
  });

  it("are idle again when the command has ended, and still know it", () => {
    const view = session(opened, ...life("a", EXITED, 7));
    assert.equal(view?.status, "idle");
    assert.ok(view !== undefined && !("current" in view));
    assert.equal(view?.last, "a");
  });

  it("count a command that is given up while it waits no more", () => {
    const view = session(opened, ...life("a", EXITED, 2), ...life("b", CANCELLED));
    assert.equal(view?.queued, 0);
    assert.equal(view?.current, "a");
    assert.equal(view?.last, "a");
  });

  it("know where they are", () => {
    const moved: RuntimeEvent = { type: "session.moved", sessionId: "s", cwd: "/tmp" };
    assert.equal(session(opened, moved)?.cwd, "/tmp");
  });

  it("run from the start of a command to its end", () => {
    const until = (length: number) => session(opened, ...life("a", EXITED, length))?.running;
    assert.deepEqual([until(4), until(5), until(6), until(7)], [false, true, true, false]);
  });

  it("are hot for a while after output, and for longer while something is built", () => {
    const wrote = (text?: string): RuntimeEvent => ({
      type: "output.appended",
      commandId: "a",
      from: 0,
      to: 1,
      ...(text !== undefined && { inline: { text } }),
    });
    const hot = (...texts: (string | undefined)[]) => {
      const view = session(opened, ...life("a", EXITED, 5), ...texts.map(wrote));
      assert.ok(view !== undefined);
      const at = 1000 + 5 + texts.length;
      return [0, 1_999, 2_000, 14_999, 15_000].map((ms) => isHot(view, at + ms));
    };
    assert.deepEqual(hot(), [false, false, false, false, false]);
    assert.deepEqual(hot("hi"), [true, true, false, false, false]);
    assert.deepEqual(hot("Compiling x v1"), [true, true, true, true, false]);
    assert.deepEqual(hot("compiling", undefined), [true, true, true, true, false]);
    assert.deepEqual(hot("compiling", "Compiled"), [true, true, false, false, false]);
    const ended = session(opened, ...life("a", EXITED, 7));
    assert.ok(ended !== undefined && !isHot(ended, ended.openedAt));
    const late = session(opened, ...life("a", EXITED, 8));
    assert.ok(late !== undefined && isHot(late, 1009), "what it left behind writes");
  });

  it("know the names in their shell, and how often it began anew", () => {
    const view = session(
      opened,
      { type: "session.stateReported", sessionId: "s", state: { functions: ["git"] } },
      { type: "session.reset", sessionId: "s", reason: "killed", lost: ["functions"] },
      { type: "session.reset", sessionId: "s", reason: "idle", lost: ["jobs"] },
    );
    assert.deepEqual(view?.state, { functions: ["git"] });
    assert.deepEqual([view?.resets, view?.lastReset], [2, { reason: "idle", lost: ["jobs"] }]);
  });

  it("belong to whom their newest command is for", () => {
    const request = (owner?: string): RuntimeEvent => ({
      type: "command.requested",
      commandId: `c${owner}`,
      sessionId: "s",
      command: "ls",
      origin: "user",
      limits: {},
      ...(owner !== undefined && { owner }),
    });
    assert.equal(session(opened, request())?.owner, undefined);
    const view = session(opened, request("ann"), request("bob"), request());
    assert.deepEqual([view?.owner, view?.origin], ["bob", "user"]);
  });

  it("say why they were closed", () => {
    const view = session(opened, ...life("a", EXITED), closed);
    assert.equal(view?.status, "closed");
    assert.equal(view?.reason, "done");
    assert.equal(view?.closedAt, 1010);
  });

  it("are forgotten in the order in which they were closed, and never while open", () => {
    const events = ["a", "b", "c", "d"].flatMap((sessionId): RuntimeEvent[] => [
      { type: "session.opened", sessionId, cwd: "/" },
      ...(sessionId === "b" ? [] : [{ ...closed, sessionId }]),
    ]);
    const table = fold(sessionsProjection(1), recorded(events));
    assert.deepEqual([...table.byId.keys()], ["b", "d"]);
  });

  it("have what was sent to their name while an earlier one had it", () => {
    const [asked, ...rest] = life("b", EXITED, 7);
    assert.ok(asked !== undefined);
    const before = [opened, ...life("a", EXITED, 2), asked, ...life("a", EXITED).slice(2), closed];
    assert.equal(session(...before, opened)?.queued, 1);
    const after = session(...before, opened, ...rest);
    assert.deepEqual([after?.queued, after?.status, after?.last], [0, "idle", "b"]);
  });

  it("are not forgotten for an earlier one of their name that was closed", () => {
    const other = ["x", "y"].flatMap((sessionId): RuntimeEvent[] => [
      { ...opened, sessionId },
      { ...closed, sessionId },
    ]);
    const events = recorded([opened, closed, opened, ...other]);
    const table = fold(sessionsProjection(1), events);
    assert.deepEqual([...table.byId.keys()], ["s", "y"]);
  });

  it("never count less than nothing, and own no command that has ended", () => {
    fc.assert(fc.property(histories, (events) => {
      const table = given(...events);
      for (const view of table.byId.values()) assert.ok(view.queued >= 0);
      const live = new Set(table.commands.keys());
      for (const { type, ...event } of events) {
        if (type === "execution.closed" && "commandId" in event) {
          assert.ok(!live.has(event.commandId), "its output has ended");
        }
      }
      for (const view of table.byId.values()) {
        if (view.current !== undefined) assert.ok(live.has(view.current));
        assert.equal(
          view.status === "busy",
          view.current !== undefined && view.status !== "closed",
        );
      }
    }));
  });

  it("are the same live as folded, at every place, and from a log as they were live", () => {
    fc.assert(fc.property(histories, fc.nat(2), (events, keepClosed) => {
      const projection = sessionsProjection(keepClosed);
      const all = recorded(events);
      const read = JSON.parse(JSON.stringify(all)) as readonly Recorded[];
      let live = projection.initial;
      for (const [i, one] of all.entries()) {
        live = projection.evolve(live, one);
        const folded = fold(projection, read.slice(0, i + 1));
        assert.deepEqual([...live.byId], [...folded.byId]);
        assert.deepEqual([...live.commands], [...folded.commands]);
      }
    }));
  });
});
