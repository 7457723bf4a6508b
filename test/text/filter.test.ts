import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { errorSign } from "../../src/text/excerpt/error-lines.ts";
import { type CompiledRule, countsText, filterLines } from "../../src/text/filter/filter-lines.ts";
import { filteredSource } from "../../src/text/filter/filtered-source.ts";
import { bytesOf, FakeSource, memorySource } from "./sources.ts";

/** What remains of lines, one letter each, by rules. */
const of = (text: string, ...rules: CompiledRule[]) => {
  const lines = text.split("|");
  const { items, leftOut } = filterLines(lines, rules);
  const left = items.map((item) => typeof item === "number" ? lines[item] : item).join("|");
  return `${left} (${countsText(leftOut)})`;
};

const noise: CompiledRule = { what: "noises", lines: /^n/ };
const list: CompiledRule = { what: "items", lines: /^i/, keep: 2 };
const head: CompiledRule = { what: "heads", lines: /^h/, heads: true };
const block: CompiledRule = { what: "blocks", lines: /^b/, more: /^ / };

describe("a filter of lines", () => {
  const rows: readonly (readonly [string, CompiledRule[], string, string])[] = [
    ["leaves out what a rule finds", [noise], "a|n|n|b", "a|b (noises: 2)"],
    ["counts by the first rule", [noise, { what: "x", lines: /n/ }], "n|an", " (noises: 1, x: 1)"],
    [
      "keeps errors and warnings",
      [noise],
      "n: error|n Warning|n",
      "n: error|n Warning (noises: 1)",
    ],
    [
      "keeps the beginning of a list",
      [list],
      "i|i|i|i|a",
      "i|i|[... items: 2 more ...]|a (items: 2)",
    ],
    ["begins a list anew", [list], "i|i|i|a|i", "i|i|[... items: 1 more ...]|a|i (items: 1)"],
    [
      "goes on with a list behind an error of it",
      [list],
      "i|i|i fails|i",
      "i|i|i fails|[... items: 1 more ...] (items: 1)",
    ],
    ["keeps the head of what stays", [head], "h1|h2|a|h3", "h2|a (heads: 2)"],
    [
      "keeps the head of an error",
      [head, noise],
      "h1|n|n fails|h2",
      "h1|n fails (noises: 1, heads: 1)",
    ],
    ["leaves out what belongs to a line", [block], "b| 1| 2|a| 3", "a| 3 (blocks: 3)"],
    [
      "keeps what belongs to a line that stays",
      [block],
      "b failed| 1|b| 2",
      "b failed| 1 (blocks: 2)",
    ],
    [
      "leaves one empty line between two",
      [noise],
      "a||n||n||b",
      "a||b (noises: 2, empty lines: 2)",
    ],
    ["lets empty lines be that were there", [noise], "a|||b|n", "a|||b (noises: 1)"],
  ];
  for (const [title, rules, text, left] of rows) {
    it(title, () => assert.equal(of(text, ...rules), left));
  }

  const letters = fc.constantFrom(
    ..."nihbax",
    "",
    " m",
    "n error",
    "i warn",
    "h fail",
    " ",
    "b failed",
  );
  const anyLines = fc.array(letters, { maxLength: 40 });
  const anyRules = fc.array(
    fc.record({
      what: fc.constantFrom("one", "two"),
      lines: fc.constantFrom(/^n/, /^i/, /^h/, /^[nb]/, /^b/, /./, /^\[/, /x$/),
      more: fc.constantFrom(undefined, /^ /, /^[ia]/, /^$/, /m/),
      keep: fc.constantFrom(undefined, 0, 1, 3),
      heads: fc.constantFrom(undefined, true),
    }),
    { maxLength: 4 },
  );

  it("keeps what looks like an error or a warning, in its order, and counts the rest exactly", () => {
    fc.assert(fc.property(anyLines, anyRules, (lines, rules) => {
      const { items, leftOut } = filterLines(lines, rules);
      const kept = items.filter((item) => typeof item === "number");
      assert.deepEqual(kept, [...new Set(kept)].sort((a, b) => a - b));
      for (const [at, line] of lines.entries()) {
        const matters = /error|fail|warn/i.test(line);
        assert.equal(matters, errorSign(line) !== undefined || /warn/.test(line));
        if (matters) assert.ok(kept.includes(at), line);
      }
      const count = [...leftOut.values()].reduce((sum, each) => sum + each, 0);
      assert.equal(count, lines.length - kept.length);
    }));
  });

  it("leaves out nothing when it is applied again", () => {
    fc.assert(
      fc.property(anyLines, anyRules, (lines, rules) => {
        const { items } = filterLines(lines, rules);
        const once = items.map((item) => typeof item === "number" ? lines[item] ?? "" : item);
        assert.deepEqual(filterLines(once, rules).items, once.map((_, i) => i));
      }),
      { numRuns: 2000 },
    );
  });
});

describe("a filtered output", () => {
  const noisy = (count: number) => Array.from({ length: count }, (_, i) => `n ${i}\n`).join("");
  const ofText = (text: string) => filteredSource(memorySource(bytesOf(text)), [noise, list]);
  const textOf = async (found: Awaited<ReturnType<typeof filteredSource>>) => {
    assert.ok(found !== undefined);
    const { source } = found;
    const { bytes } = await source.read({ from: 0, maxBytes: source.total });
    return new TextDecoder().decode(bytes);
  };

  it("has the bytes of the lines that stay, as they are", async () => {
    const found = await ofText(`\x1b[31mred\x1b[0m\r\n${noisy(30)}10%\r100%\nend`);
    assert.equal(await textOf(found), "\x1b[31mred\x1b[0m\r\n10%\r100%\nend");
    assert.deepEqual([found?.lines, [...found?.leftOut ?? []]], [33, [["noises", 30]]]);
  });

  it("finds lines as they are shown", async () => {
    const coloured = "\x1b[32mn\x1b[0m\n".repeat(10) + "50%\rn\x1b[K\n".repeat(10);
    assert.equal(await textOf(await ofText(`a\n${coloured}`)), "a\n");
  });

  it("knows where its bytes stand in the output", async () => {
    const text = `a\n${noisy(20)}bc\n${"i\n".repeat(20)}end\n`;
    const found = await ofText(text);
    const left = await textOf(found);
    assert.equal(left, "a\nbc\ni\ni\n[... items: 18 more ...]\nend\n");
    for (const part of ["a\n", "bc\n", "c\n", "end\n"]) {
      assert.equal(found?.place(left.indexOf(part)), text.indexOf(part), part);
    }
    assert.equal(found?.place(left.length), text.length);
  });

  it("is no gain where few lines, or a small part, would be left out", async () => {
    assert.equal(await ofText(`a\n${noisy(19)}`), undefined);
    assert.equal(await ofText(`${"a line that stays\n".repeat(20)}${noisy(20)}`), undefined);
    assert.equal(await textOf(await ofText(`a\n${noisy(20)}`)), "a\n");
  });

  it("is not made of data, of what has gaps, or of more than a megabyte", async () => {
    assert.equal(await ofText(`${noisy(4000)}${"\0\x01\x02\x03".repeat(5000)}`), undefined);
    const gaps = new FakeSource(noisy(50), { gaps: [{ from: 20, to: 30 }] });
    assert.equal(await filteredSource(gaps, [noise]), undefined);
    assert.equal(await ofText(`${"n".repeat(99)}\n`.repeat(10_486)), undefined);
    assert.equal(await textOf(await ofText(`${"n".repeat(99)}\n`.repeat(10_485))), "");
  });
});
