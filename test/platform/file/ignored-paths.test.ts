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
});
