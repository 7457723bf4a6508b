import assert from "node:assert/strict";
import { once } from "node:events";
import process from "node:process";
import { describe, it } from "node:test";
import type { Recorded } from "../../src/event/event.ts";
import { NEVER, Subject } from "rxjs";
import { LiveProjection, liveProjection } from "../../src/runtime/live.ts";

/** Remembers the places of all events. */
function seen(): { live: LiveProjection<readonly number[]>; folds: () => number } {
  let folds = 0;
  const live = new LiveProjection<readonly number[]>({
    name: "seen",
    initial: [],
    evolve: (state, { seq }) => {
      folds++;
      return seq < 0 ? state : [...state, seq];
    },
  });
  return { live, folds: () => folds };
}

const recorded = (seq: number): Recorded => ({
  seq,
  at: 0,
  event: { type: "session.closed", sessionId: "s", reason: "" },
});

describe("a live projection", () => {
  it("has each event in its answer, each once", () => {
    const { live, folds } = seen();
    live.next(recorded(1));
    live.next(recorded(2));
    assert.deepEqual(live.current, [1, 2]);
    assert.deepEqual(live.current, [1, 2]);
    assert.equal(folds(), 2);
  });

  it("tells who watches of each change when it happens, and of nothing else", () => {
    const { live } = seen();
    live.next(recorded(1));
    const told: (readonly number[])[] = [];
    const subscription = live.changes.subscribe((state) => told.push(state));
    live.next(recorded(2));
    live.next(recorded(-1));
    live.next(recorded(3));
    assert.deepEqual(told, [[1], [1, 2], [1, 2, 3]]);
    subscription.unsubscribe();
    live.next(recorded(4));
    assert.equal(told.length, 3);
    assert.deepEqual(live.current, [1, 2, 3, 4]);
  });

  it("of an embedder that throws is named in a warning, and keeps the answer that it had", async () => {
    const warned = once(process, "warning");
    const events = new Subject<Recorded>();
    const live = liveProjection<readonly number[]>({
      name: "seen",
      initial: [],
      evolve: (state, { seq }) => {
        if (seq === 2) throw new Error("no idea");
        return [...state, seq];
      },
    }, events);
    for (const seq of [1, 2, 3]) events.next(recorded(seq));
    assert.deepEqual(live.current, [1]);
    assert.match(String(await warned), /The projection "seen" is folded no further, .*: no idea/);
  });

  it("is refused where there is nothing to fold", () => {
    const wrong = JSON.parse('{ "name": "seen", "initial": 0 }');
    assert.throws(() => liveProjection(wrong, NEVER), {
      name: "TypeError",
      message:
        'Cannot fold the projection {"name":"seen","initial":0}: it must have a name and a function "evolve"',
    });
  });
});
