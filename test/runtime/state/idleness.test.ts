import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NEVER } from "rxjs";
import { VirtualClock } from "../../../src/platform/virtual-clock.ts";
import { guestsOf } from "../../../src/runtime/control/guest/guests.ts";
import { fold } from "../../../src/event/project.ts";
import { sessions } from "../../../src/session/sessions.ts";
import { tasks } from "../../../src/task/tasks.ts";

function watched(idleMs: number, { keeps = true } = {}) {
  const clock = new VirtualClock();
  const opened = { type: "session.opened", sessionId: "kept", cwd: "/" } as const;
  const table = fold(sessions, keeps ? [{ seq: 1, at: 0, event: opened }] : []);
  let ends = 0;
  const runtime = {
    events: NEVER,
    sessions: { current: table, changes: NEVER },
    tasks: { current: tasks.initial, changes: NEVER },
  };
  const guests = guestsOf(runtime, { idleMs, onEnd: () => ends++ }, clock);
  /** A use, which ends when it is called. */
  const begin = (): () => Promise<void> => {
    let resolve = () => {};
    const use = guests.during(
      new Promise<void>((done) => {
        resolve = done;
      }),
    );
    return () => {
      resolve();
      return use;
    };
  };
  return { clock, begin, ends: () => ends };
}

describe("the idleness of a host", () => {
  it("begins before the first use, and ends for as long as there is one", async () => {
    const { clock, begin, ends } = watched(100);
    clock.advance(99);
    const [first, second] = [begin(), begin()];
    clock.advance(1_000);
    await first();
    clock.advance(1_000);
    assert.equal(ends(), 0);
    await second();
    clock.advance(99);
    assert.equal(ends(), 0);
    clock.advance(1);
    assert.equal(ends(), 1);
  });

  it("does not wait where guests left nothing behind, and for ever without a limit", async () => {
    const empty = watched(100, { keeps: false });
    empty.clock.advance(50);
    await empty.begin()();
    empty.clock.advance(0);
    assert.equal(empty.ends(), 1);
    const patient = watched(0);
    await patient.begin()();
    patient.clock.advance(1e9);
    assert.equal(patient.ends(), 0);
  });
});
