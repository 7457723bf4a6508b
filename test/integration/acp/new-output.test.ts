import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { MISSING, NewOutput } from "../../../src/integration/acp/new-output.ts";
import { sized } from "../../sized.ts";

/** What is taken of snapshots, the last of which is the last; a star means that something was dropped. */
function taken(...snapshots: readonly string[]): string {
  const output = new NewOutput();
  return snapshots.map((given, i) => {
    const truncated = given.startsWith("*");
    return output.take(
      { output: truncated ? given.slice(1) : given, truncated },
      i === snapshots.length - 1,
    );
  }).join("");
}

const LINES = Array.from({ length: 100 }, (_, i) => `line ${i} of the output\n`);
const lines = (from: number, to: number) => LINES.slice(from, to).join("");

describe("the output of a client's terminal", () => {
  it("is what each snapshot has beyond the one before", () => {
    assert.equal(taken("a", "a", "ab\nc", "ab\ncd\n"), "ab\ncd\n");
    assert.equal(taken("", "", ""), "");
    assert.equal(taken("one\n\n", "one\n\ntwo  ", "one\n\ntwo  \n\n"), "one\n\ntwo  \n\n");
  });

  it("has no half of a character whose other bytes are still to come", () => {
    assert.equal(taken("a\uFFFD", "aä\uFFFD\uFFFD", "aä€\n"), "aä€\n");
    assert.equal(taken("a\uFFFD", "a\uFFFDb", "a\uFFFDb\uFFFD"), "a\uFFFDb\uFFFD");
  });

  it("goes on where the client drops the beginning", () => {
    assert.equal(taken(lines(0, 20), `*${lines(10, 30)}`, `*${lines(25, 45)}`), lines(0, 45));
    assert.equal(taken(lines(0, 20), `*${lines(10, 20)}`, `*${lines(10, 20)}`), lines(0, 20));
  });

  it("says where more was dropped than there was between two snapshots", () => {
    const cut = taken(lines(0, 20), `*${lines(30, 50)}`, `*${lines(45, 60)}`);
    assert.equal(cut, lines(0, 20) + MISSING + lines(30, 60));
    assert.equal(taken("no end", `*${lines(30, 50)}`), `no end\n${MISSING}${lines(30, 50)}`);
    // It could be the same "line": then that is what is missing.
    assert.equal(taken("a line", `*${lines(9, 10)}`), `a line\n${MISSING} 9 of the output\n`);
    assert.equal(taken(`*${lines(30, 50)}`), MISSING + lines(30, 50));
  });

  it("says so at the end where the client keeps the beginning and drops the end", () => {
    const kept = lines(0, 20);
    assert.equal(taken(lines(0, 10), `*${kept}`, `*${kept}`), kept + MISSING);
    assert.equal(taken(kept, `*${lines(0, 19)}`), kept + MISSING);
  });

  it("says so where the output repeats itself, as it is unknown how often", () => {
    const repeated = "y\n".repeat(500);
    assert.equal(taken(repeated, `*${repeated}`), repeated + MISSING);
    const more = taken(`${repeated}z`, `*${repeated}z${repeated}`, `*${repeated}`);
    assert.ok(more.includes(MISSING));
  });

  it("has the lines of a screen that have changed, once for each snapshot", () => {
    assert.equal(
      taken("\n\n\n", "fetch 10%\n\n\n", "fetch 90%\n\n\n", "fetch 100%\ndone\n"),
      "fetch 10%\nfetch 90%\nfetch 100%\ndone\n",
    );
    assert.equal(taken("a\n> ", "a\nb\n> ", "a\nb\nc"), "a\n> \nb\n> \nc");
  });

  it("is exactly what was printed, however it was read, while nothing is dropped", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "grapheme", maxLength: 40 }), { maxLength: 20 }),
        fc.array(fc.nat(), { maxLength: 10 }),
        (parts, cuts) => {
          const bytes = new TextEncoder().encode(parts.join("\n"));
          const sorted = cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b);
          const snapshots = [...sorted, bytes.length].map((end) =>
            new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, end))
          );
          const output = new NewOutput();
          const all = snapshots.map((text, i) =>
            output.take({ output: text, truncated: false }, i === snapshots.length - 1)
          );
          assert.equal(all.join(""), parts.join("\n"));
        },
      ),
      { numRuns: sized(300, 5_000) },
    );
  });

  it("has nothing wrong and nothing twice where the beginning is dropped", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 400 }), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 200, max: 2_000 }),
        (steps, limit) => {
          const whole = Array.from({ length: 400 }, (_, i) => `${i * 7919 % 1_009} is ${i}\n`).join(
            "",
          );
          const output = new NewOutput();
          let end = 0;
          const all = steps.map((step, i) => {
            end = Math.min(whole.length, end + step);
            const from = Math.max(0, end - limit);
            const snapshot = { output: whole.slice(from, end), truncated: from > 0 };
            return output.take(snapshot, i === steps.length - 1);
          }).join("");
          // Pieces of the whole, in order.
          let at = 0;
          for (const piece of all.split(MISSING)) {
            const found = whole.indexOf(piece.replace(/\n$/, ""), at);
            assert.ok(found >= at, JSON.stringify({ piece, at }));
            at = found + piece.replace(/\n$/, "").length;
          }
          if (!all.includes(MISSING)) assert.equal(all, whole.slice(0, end));
        },
      ),
      { numRuns: sized(300, 5_000) },
    );
  });
});
