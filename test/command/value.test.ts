import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { either, joined, MOST, type Value } from "../../src/command/words/value.ts";
import { UNKNOWN } from "../../src/command/words/placeholders.ts";

const text = fc.string({ unit: fc.constantFrom("a", "b", "/"), maxLength: 2 });
const value = fc.oneof(
  { weight: 9, arbitrary: fc.uniqueArray(text, { maxLength: 6 }) },
  { weight: 1, arbitrary: fc.constant(undefined) },
);

/** Whether a text is one of those that a value stands for. */
function stands(value: Value, text: string): boolean {
  return value === undefined || value.includes(UNKNOWN) || value.includes(text);
}

/** Whether a value stands for all that another one stands for. */
function covers(wide: Value, narrow: Value): boolean {
  if (narrow === undefined || narrow.includes(UNKNOWN)) return stands(wide, "not named");
  return narrow.every((each) => stands(wide, each));
}

const same = (one: Value, other: Value) => covers(one, other) && covers(other, one);

describe("what a text can be", () => {
  it("is bounded by either value", () => {
    fc.assert(fc.property(value, value, (one, other) => {
      const both = either(one, other);
      assert.ok(covers(both, one) && covers(both, other));
    }));
  });

  it("does not depend on the order of values, or how often each is given", () => {
    fc.assert(fc.property(value, value, value, (one, other, third) => {
      assert.ok(same(either(one, other), either(other, one)));
      assert.ok(same(either(either(one, other), third), either(one, either(other, third))));
      assert.equal(either(one, one), one);
      assert.equal(either(one, []), one);
      const both = either(one, other);
      assert.equal(either(both, other), both, "nothing new leaves it the same");
    }));
  });

  it("is each text with each one behind it", () => {
    fc.assert(fc.property(value, value, value, (one, other, third) => {
      const both = joined(one, other);
      for (const before of one ?? ["c"]) {
        for (const after of other ?? ["c"]) assert.ok(stands(both, before + after));
      }
      assert.ok(same(joined(joined(one, other), third), joined(one, joined(other, third))));
      assert.ok(same(joined(one, [""]), one) && same(joined([""], one), one));
      if (one && other) assert.ok(covers(joined(either(one, other), third), joined(one, third)));
    }));
  });

  it("is any text where there would be too many", () => {
    const many = Array.from({ length: MOST }, (_, at) => `${at}`);
    assert.deepEqual(either(many.slice(1), ["0"])?.length, MOST);
    assert.equal(either(many, ["more"]), undefined);
    assert.equal(joined(many, ["a", "b"]), undefined);
  });
});
