import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { clip, clipStart } from "../../src/text/clip.ts";
import { shown, shownValue } from "../../src/value/shown.ts";

describe("a text that is cut", () => {
  it("keeps as much as fits, and no half of a character", () => {
    assert.deepEqual([0, 1, 2, 3, 9].map((most) => clip("a😀b", most)), [
      "",
      "a",
      "a",
      "a😀",
      "a😀b",
    ]);
    const ends = [0, 1, 2, 3, 9].map((most) => clipStart("a😀b", most));
    assert.deepEqual(ends, ["", "b", "b", "😀b", "a😀b"]);
  });

  it("in a message has no half of a character either", () => {
    assert.equal(shown("a😀b", { most: 2 }), "a…");
    assert.equal(shown("a😀b", { most: 3 }), "a😀…");
    assert.equal(shownValue("😀".repeat(200)), `"${"😀".repeat(99)}…`);
  });
});
