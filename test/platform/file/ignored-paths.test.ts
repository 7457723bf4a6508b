import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ignoredPaths } from "../../../src/platform/file/ignored-paths.ts";

describe("the lines of an ignore file", () => {
  const ignores = (lines: readonly string[], path: string) =>
    ignoredPaths(lines, "/ws")?.(`/ws/${path}`);

  it("may have sets of characters", () => {
    for (const line of ["[ab]x", "[a-c]x", "[!c-z]x", "[^c-z]x", "*[a]*"]) {
      assert.deepEqual([ignores([line], "ax"), ignores([line], "cy")], [true, false], line);
    }
  });

  it("fit any character where a set is more than characters and ranges, and take none back", () => {
    for (const set of ["[[:alpha:]]", "[]a]", "[\\]a]", "[z-a]", "[[:alpha:]_]"]) {
      assert.deepEqual([ignores([`${set}x`], "ax"), ignores([`${set}x`], "a")], [true, false], set);
      assert.equal(ignores(["*x", `!${set}x`], "ax"), true, set);
    }
  });

  it("take back directories alone where a slash ends them, as in a list of what is not ignored", () => {
    const lines = ["*", "!*/", "!*.py"];
    for (
      const [path, isIgnored] of [["x.key", true], ["a/x.key", true], ["a/x.py", false]] as const
    ) {
      assert.equal(ignores(lines, path), isIgnored, path);
    }
  });

  it("take asterisks beside other characters for one", () => {
    assert.equal(ignores(["*.key", "!a**"], "a/x.key"), true);
    assert.equal(ignores(["*.key", "!a**/x.key"], "ab/c/x.key"), true);
    assert.equal(ignores(["*.key", "!a/**"], "a/b/x.key"), false);
    assert.equal(ignores(["a/**/x"], "a/b/c/x"), true);
  });
});
