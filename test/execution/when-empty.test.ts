import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { whenEmpty } from "../../src/execution/tree/when-empty.ts";
import type { ProcessInfo } from "../../src/platform/process/processes.ts";
import { VirtualClock } from "../../src/platform/virtual-clock.ts";

const MEMBER = { pid: 70, startTime: "100", parent: 1, group: 70, session: 70, state: "R" };

function given() {
  const clock = new VirtualClock();
  const world: { left: readonly ProcessInfo[]; stalledMs: number; at: number | undefined } = {
    left: [MEMBER],
    stalledMs: 0,
    at: undefined,
  };
  const stalling = {
    monotonic: () => clock.monotonic() + world.stalledMs,
    after: (ms: number, call: () => void) => clock.after(ms, call),
  };
  const tree = { survey: () => [...world.left] };
  whenEmpty(tree, stalling, () => (world.at = clock.monotonic()));
  return { clock, world };
}

describe("what the system ends by itself", () => {
  it("is waited for until nobody is left, and for two seconds at the most", () => {
    const { clock, world } = given();
    clock.advance(100);
    assert.equal(world.at, undefined);
    world.left = [];
    clock.advance(50);
    assert.ok(world.at !== undefined);
    const other = given();
    other.clock.advance(10_000);
    assert.ok(other.world.at !== undefined && other.world.at > 1_900 && other.world.at < 2_200);
  });

  it("is looked at as often after a stall that was longer than that", () => {
    const { clock, world } = given();
    world.stalledMs = 10_000;
    clock.advance(1_000);
    assert.equal(world.at, undefined);
    world.left = [];
    clock.advance(50);
    assert.ok(world.at !== undefined);
  });
});
