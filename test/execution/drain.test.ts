import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { drain } from "../../src/execution/run/drain.ts";
import { VirtualClock } from "../../src/platform/virtual-clock.ts";

/** A drain over a stream that is told what it is given. */
function given({ atWork = false } = {}) {
  const clock = new VirtualClock();
  const world = { total: 0, held: false, atWork, stalledMs: 0, done: 0 };
  const cancel = drain({
    // Timers come late by the time that something else took.
    clock: {
      monotonic: () => clock.monotonic() + world.stalledMs,
      after: (ms, call) => clock.after(ms, call),
    },
    total: () => world.total,
    held: () => world.held,
    writersAtWork: () => world.atWork,
    done: () => {
      world.done = clock.monotonic();
    },
  });
  return { clock, world, cancel };
}

describe("a drain", () => {
  it("ends soon when nothing comes", () => {
    const { clock, world } = given();
    clock.advance(49);
    assert.equal(world.done, 0);
    clock.advance(1);
    assert.equal(world.done, 50);
  });

  it("starts to count again with each byte, and ends at its limit whatever comes", () => {
    const { clock, world } = given();
    for (let ms = 0; ms < 1_000; ms += 20) {
      world.total++;
      clock.advance(20);
    }
    assert.equal(world.done, 500);
  });

  it("gives those at work time up to its limit", () => {
    const { clock, world } = given({ atWork: true });
    clock.advance(1_000);
    assert.equal(world.done, 500);
  });

  it("gives those at work as many looks after a stall that was longer than its limit", () => {
    const { clock, world } = given({ atWork: true });
    world.stalledMs = 1_000;
    clock.advance(499);
    assert.equal(world.done, 0);
    clock.advance(1);
    assert.equal(world.done, 500);
  });

  it("waits for as long as the reader holds it back, and counts from there", () => {
    const { clock, world } = given();
    world.held = true;
    clock.advance(10_000);
    assert.equal(world.done, 0);
    world.held = false;
    clock.advance(49);
    assert.equal(world.done, 0);
    clock.advance(1);
    assert.equal(world.done, 10_050);
  });

  it("never ends once it is cancelled", () => {
    const { clock, world, cancel } = given();
    cancel();
    clock.advance(1_000);
    assert.equal(world.done, 0);
    assert.ok(clock.idle);
  });
});
