import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { VirtualClock } from "../../../src/platform/virtual-clock.ts";
import { Idleness } from "../../../src/runtime/control/guest/idleness.ts";

function watched(idleMs: number, { keeps = true } = {}) {
  const clock = new VirtualClock();
  let ends = 0;
  const idleness = new Idleness({
    clock,
    idleMs,
    keeps: () => keeps,
    onIdle: () => ends++,
  });
  return { clock, idleness, ends: () => ends };
}

describe("the idleness of a host", () => {
  it("begins before the first use, and ends for as long as there is one", () => {
    const { clock, idleness, ends } = watched(100);
    clock.advance(99);
    const [first, second] = [idleness.begin(), idleness.begin()];
    clock.advance(1_000);
    first();
    first();
    clock.advance(1_000);
    assert.equal(ends(), 0);
    second();
    clock.advance(99);
    assert.equal(ends(), 0);
    clock.advance(1);
    assert.equal(ends(), 1);
  });

  it("does not wait where guests left nothing behind, and for ever without a limit", () => {
    const empty = watched(100, { keeps: false });
    empty.clock.advance(50);
    empty.idleness.begin()();
    empty.clock.advance(0);
    assert.equal(empty.ends(), 1);
    const patient = watched(0);
    patient.idleness.begin()();
    patient.clock.advance(1e9);
    assert.equal(patient.ends(), 0);
  });
});
