import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { firstPattern, namePattern } from "../../src/env/name-pattern.ts";

describe("a pattern of names", () => {
  it("means the whole name, in either case", () => {
    const test = namePattern("Path");
    assert.ok(test("PATH"));
    assert.ok(test("path"));
    assert.ok(!test("PATHS"));
    assert.ok(!test("MYPATH"));
  });

  it("means any characters by * and one by ?", () => {
    assert.ok(namePattern("*KEY*")("api_key_2"));
    assert.ok(namePattern("LC_*")("LC_"));
    assert.ok(namePattern("A?C")("ABC"));
    assert.ok(!namePattern("A?C")("AC"));
    assert.ok(namePattern("*A*B")("xAxBxAB"));
    assert.ok(!namePattern("*A*B")("xAxBx"));
  });

  it("means nothing special by other characters", () => {
    assert.ok(!namePattern("A.C")("ABC"));
    assert.ok(namePattern("A.C")("a.c"));
    assert.ok(!namePattern("[AB]")("A"));
  });

  it("agrees with the expression of the same meaning", () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[ab*?]{0,8}$/),
        fc.stringMatching(/^[abAB]{0,10}$/),
        (glob, name) => {
          const source = glob.replaceAll("*", ".*").replaceAll("?", ".");
          assert.equal(namePattern(glob)(name), new RegExp(`^${source}$`, "i").test(name));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("does not stall on many stars, as one that goes back for each would for ever", () => {
    assert.ok(!namePattern(`${"*A".repeat(200)}B`)("A".repeat(5_000)));
  });

  it("is told apart from others by being the first that fits", () => {
    const first = firstPattern(["A*", "*B"]);
    assert.equal(first("AB"), "A*");
    assert.equal(first("XB"), "*B");
    assert.equal(first("X"), undefined);
  });
});
