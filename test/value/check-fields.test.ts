import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as v from "valibot";
import { checkFields } from "../../src/value/check-fields.ts";

const mode = v.picklist(["default", "plan", "bypass"]);
const schema = v.strictObject({
  name: v.optional(v.string()),
  names: v.optional(v.array(v.string())),
  mode: v.optional(mode),
  chosen: v.optional(v.union([mode, v.function()])),
  only: v.optional(v.literal("orphans")),
  count: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(9))),
  rate: v.optional(v.pipe(v.number(), v.gtValue(0))),
  either: v.optional(v.union([v.boolean(), v.array(v.string())])),
  signal: v.optional(v.instance(AbortSignal)),
  own: v.optional(v.pipe(v.number(), v.integer("it must be a round number"))),
  whole: v.optional(v.pipe(v.number(), v.safeInteger())),
  finite: v.optional(v.pipe(v.number(), v.finite())),
  word: v.optional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(3), v.regex(/^\w*$/))),
});

describe("a field that cannot be used", () => {
  const cases: readonly [object, string][] = [
    [{ name: 5 }, "name 5: it must be a string"],
    [{ names: "a" }, 'names "a": it must be an array'],
    [{ names: ["a", 1] }, "names.1 1: it must be a string"],
    [{ mode: "x" }, 'mode "x": it must be "default", "plan", or "bypass"'],
    [{ chosen: 1 }, 'chosen 1: it must be "default", "plan", "bypass", or a function'],
    [{ only: "x" }, 'only "x": it must be "orphans"'],
    [{ count: NaN }, "count NaN: it must be a number"],
    [{ count: 0 }, "count 0: it must be 1 or more"],
    [{ count: 10 }, "count 10: it must be at most 9"],
    [{ rate: 0 }, "rate 0: it must be more than 0"],
    [{ either: 1 }, "either 1: it must be true, false, or an array"],
    [{ signal: {} }, "signal {}: it must be an instance of AbortSignal"],
    [{ own: 1.5 }, "own 1.5: it must be a round number"],
    [{ whole: 1.5 }, "whole 1.5: it must be a whole number"],
    [{ finite: Infinity }, "finite Infinity: it must be finite"],
    [{ word: "" }, 'word "": it is empty'],
    [{ word: "abcd" }, 'word "abcd": it must be at most 3 long'],
    [{ word: "-" }, 'word "-": it must match /^\\w*$/'],
    [
      { nmae: 1 },
      "nmae 1: there is no such option; there are name, names, mode, chosen, only, count, rate, " +
      "either, signal, own, whole, finite, word",
    ],
  ];

  for (const [given, message] of cases) {
    it(`is named with its value and what it must be: ${message}`, () => {
      assert.throws(
        () => checkFields(schema, given, "Cannot use"),
        { name: "TypeError", message: `Cannot use ${message}` },
      );
    });
  }
});
