import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { Deque } from "../../src/stream/deque.ts";

describe("Deque", () => {
  it("gives back what it was given, first in, first out, whatever the order of pushes and shifts", () => {
    fc.assert(fc.property(fc.array(fc.option(fc.integer(), { nil: "shift" })), (steps) => {
      const deque = new Deque<number>();
      const model: number[] = [];
      for (const step of steps) {
        if (typeof step === "number") {
          deque.push(step);
          model.push(step);
        } else {
          assert.equal(deque.shift(), model.shift());
        }
        assert.equal(deque.size, model.length);
      }
    }));
  });

  it("grows beyond its first ring while it wraps around", () => {
    const deque = new Deque<number>();
    for (let i = 0; i < 10; i++) deque.push(i);
    for (let i = 0; i < 10; i++) deque.shift();
    for (let i = 0; i < 1_000; i++) deque.push(i);
    for (let i = 0; i < 1_000; i++) assert.equal(deque.shift(), i);
    assert.equal(deque.shift(), undefined);
  });
});
