import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { firstPattern } from "../../src/env/name-pattern.ts";

const means = (pattern: string, name: string): boolean =>
  firstPattern([pattern])(name) !== undefined;

describe("a pattern of names", () => {
  it("means the whole name, in either case", () => {
    assert.ok(means("Path", "PATH"));
    assert.ok(means("Path", "path"));
    assert.ok(!means("Path", "PATHS"));
    assert.ok(!means("Path", "MYPATH"));
  });

  it("means any characters by * and one by ?", () => {
    assert.ok(means("*KEY*", "api_key_2"));
    assert.ok(means("LC_*", "LC_"));
    assert.ok(means("A?C", "ABC"));
    assert.ok(!means("A?C", "AC"));
    assert.ok(means("*A**B", "xAxBxAB"));
    assert.ok(!means("*A*B", "xAxBx"));
  });

  it("is no trap for a long name", () => {
    const long = "a".repeat(100_000);
    assert.ok(!means("*A*A*A*A*A*A*B", long));
    assert.ok(means("*A*A*A*A*A*A*B", `${long}b`));
    assert.ok(means("*A?C*D", "axxabcd"));
  });

  it("means nothing special by other characters", () => {
    assert.ok(!means("A.C", "ABC"));
    assert.ok(means("A.C", "a.c"));
    assert.ok(!means("[AB]", "A"));
    assert.ok(means("\\w(A", "\\W(a"));
  });

  it("comes before the next one that fits", () => {
    const first = firstPattern(["A*", "*B"]);
    assert.equal(first("AB"), "A*");
    assert.equal(first("XB"), "*B");
    assert.equal(first("X"), undefined);
  });
});
