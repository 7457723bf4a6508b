import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, it } from "node:test";
import fc from "fast-check";
import { excerpt } from "../../src/text/excerpt/excerpt.ts";
import type { ExcerptOptions } from "../../src/text/excerpt/excerpt-options.ts";
import { errorSign } from "../../src/text/excerpt/error-lines.ts";
import { shownValue } from "../../src/value/shown.ts";
import { bytesOf, FakeSource, memorySource, noLimits, utf16 } from "./sources.ts";
import { sized } from "../sized.ts";

const of = (text: string, options: ExcerptOptions = {}) =>
  excerpt(memorySource(bytesOf(text)), options);

const numbered = (count: number, text = "line"): string =>
  Array.from({ length: count }, (_, i) => `${text} ${i + 1}\n`).join("");

describe("an output within the budget is shown as it is", () => {
  const rows: [string, string][] = [
    ["", ""],
    ["hello\n", "hello"],
    ["hello", "hello"],
    ["a\nb\nc\n", "a\nb\nc"],
    ["a\r\nb\r\n", "a\nb"],
    ["\x1b[31mred\x1b[0m\n", "red"],
    [" 10%\r100%\n", "100%"],
    ["\n\n", "\n"],
  ];
  for (const [input, text] of rows) {
    it(JSON.stringify(input), async () => {
      const result = await of(input, { footer: "never shown" });
      assert.equal(result.text, text);
      assert.equal(result.truncated, false);
      assert.deepEqual(new Set(Object.values(result.omitted)), new Set([0]));
      assert.equal(result.total.bytes, input.length);
    });
  }

  it("up to the last line and character of it", async () => {
    const text = numbered(10);
    assert.equal((await of(text, { maxLines: 10 })).truncated, false);
    assert.equal((await of(text, { maxLines: 9 })).truncated, true);
    assert.equal((await of(text, { maxChars: text.length - 1 })).truncated, false);
    assert.equal((await of(text, { maxChars: text.length - 2 })).truncated, true);
  });
});

describe("lines that repeat are folded", () => {
  const long = "a line that is long enough to be folded";
  const rows: [string, string, string][] = [
    [
      "six times",
      "longerline\n".repeat(6),
      "longerline\n<previous line repeated 5 additional times>",
    ],
    ["too short to be worth it", "y\n".repeat(5), "y\ny\ny\ny\ny"],
    [
      "the last without its newline",
      `${long}\n${long}\n${long}`,
      `${long}\n<previous line repeated 2 additional times>`,
    ],
    [
      "between others",
      `a\n${`${long}\n`.repeat(9)}b\n`,
      `a\n${long}\n<previous line repeated 8 additional times>\nb`,
    ],
    [
      "twice",
      `${"x".repeat(60)}\n`.repeat(2),
      `${"x".repeat(60)}\n<previous line repeated 1 additional times>`,
    ],
  ];
  for (const [name, input, text] of rows) {
    it(name, async () => assert.equal((await of(input)).text, text));
  }

  it("and the count of what is left out stays exact", async () => {
    const input = `${long}\n`.repeat(100_000);
    const result = await of(input, { maxScanBytes: 1e9 });
    assert.equal(result.total.lines, 100_000);
    const folded = [...result.text.matchAll(/repeated (\d+)/g)].reduce(
      (sum, [, n]) => sum + Number(n),
      0,
    );
    assert.equal(folded + 2 + (result.omitted.lines ?? NaN), 100_000);
  });
});

describe("an output beyond the budget keeps its beginning and its end", () => {
  it("a fifth of the lines and the rest, with the count of those between", async () => {
    const { text, omitted, total } = await of(numbered(25), { maxLines: 11 });
    assert.equal(
      text,
      `line 1\nline 2\n[... 15 lines, 113 bytes omitted ...]\n${
        numbered(25).split("\n").slice(17, 25).join("\n")
      }`,
    );
    const none = { columns: 0, lostBytes: 0, unsearchedBytes: 0 };
    assert.deepEqual(omitted, { ...none, bytes: 113, lines: 15, minLines: 15 });
    assert.deepEqual(total, { bytes: numbered(25).length, lines: 25 });
  });

  it("the end has what errors between would get, where there are none", async () => {
    const shown = (await of(numbered(3000))).text.split("\n");
    assert.equal(shown.length, 500);
    assert.equal(shown[98], "line 99");
    assert.equal(shown[99], "[... 2501 lines, 24110 bytes omitted ...]");
    assert.equal(shown[100], "line 2601");
    const lines = numbered(3000).split("\n");
    lines[1499] = "Error: one";
    const withError = (await of(lines.join("\n"))).text.split("\n");
    assert.ok(withError.length < 460 && withError.includes("1500: Error: one"));
  });

  it("errors between are kept with their numbers", async () => {
    const lines = numbered(3000).split("\n");
    lines[1199] = "src/a.c:3:1: error: expected ';'";
    lines[1799] = "make: *** [all] Error 1";
    const { text, errors } = await of(lines.join("\n"), { maxLines: 100 });
    assert.match(
      text,
      /\n\[\.\.\. \d+ lines, \d+ bytes omitted, 2 lines looking like errors \.\.\.\]\n1200: src\/a\.c:3:1: error: expected ';'\n1800: make: \*\*\* \[all\] Error 1\n\[\.\.\. line (\d+) follows \.\.\.\]\nline \1\n/,
    );
    assert.deepEqual(errors.map((error) => error.line), [1200, 1800]);
    assert.equal(errors[0]?.offset, lines.slice(0, 1199).join("\n").length + 1);
  });

  it("errors between have lines from twenty on, and the marker always has one", async () => {
    const text = numbered(100).replace("line 50\n", "error: it broke\n");
    const rows = async (maxLines: number) => {
      const { text: shown, errors } = await of(text, { maxLines });
      return [shown.split("\n").length, errors.length];
    };
    assert.deepEqual(await rows(0), [1, 0]);
    assert.deepEqual((await rows(19))[1], 0);
    assert.deepEqual((await rows(20))[1], 1);
  });

  it("errors far to the right of their lines are seen, and shown with what stands around them", async () => {
    const lines = numbered(3000).split("\n");
    lines[1199] = `${"x".repeat(5000)} error: the cause ${"y".repeat(5000)}`;
    const { errors } = await of(lines.join("\n"), { maxLines: 100 });
    assert.match(errors[0]?.text ?? "", /^…x+ error: the cause y+…$/);
    assert.deepEqual(errors.map(({ line, text }) => [line, text.length]), [[1200, 302]]);
  });

  it("errors of a middle that is not scanned as a whole have numbers from where they can be counted", async () => {
    const lines = numbered(200_000).split("\n");
    lines[20_000] = "fatal: first";
    lines[100_000] = "fatal: not searched";
    lines[190_000] = "fatal: last";
    const options = { maxScanBytes: 1_000_000 };
    const bytes = bytesOf(lines.join("\n"));
    const uncounted = await excerpt(memorySource(bytes), options);
    assert.deepEqual(uncounted.errors.map((error) => error.line), [20_001, null]);
    assert.equal(uncounted.omitted.lines, null);
    const { minLines, bytes: omitted, unsearchedBytes } = uncounted.omitted;
    assert.ok(
      uncounted.text.includes(
        `[... at least ${minLines} lines, ${omitted} bytes omitted, ${unsearchedBytes} of them not searched, at least 2 lines`,
      ),
    );
    assert.ok(minLines > 80_000, `${minLines} lines`);
    assert.ok(unsearchedBytes < omitted - 999_900, `${unsearchedBytes} of ${omitted}`);
    assert.match(uncounted.text, /\n\?: fatal: last\n\[\.\.\. the end follows \.\.\.\]\n/);
  });

  it("lines of UTF-16 are whole, and errors among them found", async () => {
    const rows = numbered(3000, "line Ċ ਊ").split("\n");
    rows[1199] = "error: it broke";
    const options = { maxLines: 30, encoding: "utf-16le" };
    const { text, errors, total } = await excerpt(
      new FakeSource(utf16(rows.join("\n")), { maxRead: 1001 }),
      options,
    );
    const same = await of(rows.join("\n"), { maxLines: 30 });
    assert.equal(text.replace(/\d+ bytes/, ""), same.text.replace(/\d+ bytes/, ""));
    assert.deepEqual([errors[0]?.line, total.lines], [1200, 3000]);
  });

  it("no error is cut where the scan of a long middle ends", async () => {
    const error = "error: 世界 is not what was expected here";
    const bytes = bytesOf(`${error}\n`.repeat(2000));
    for (let maxScanBytes = 10_000; maxScanBytes < 10_100; maxScanBytes++) {
      const { errors, omitted } = await excerpt(memorySource(bytes), {
        maxLines: 50,
        maxScanBytes,
        maxChars: 2000,
      });
      assert.deepEqual(new Set(errors.map(({ text }) => text)), new Set([error]));
      const searched = omitted.bytes - omitted.unsearchedBytes;
      assert.equal(searched, omitted.minLines * bytesOf(`${error}\n`).length);
    }
  });

  it("the footer is within the budget", async () => {
    const footer = "Full output: /tmp/x.log (read it with read_output id=7)";
    const { text } = await of(numbered(1000), { maxChars: 500, footer });
    assert.ok(text.endsWith(`\n${footer}`));
    assert.ok(text.length <= 500);
  });

  it("a line longer than the window is shown by both its ends", async () => {
    const { text, omitted } = await of(`start${"x".repeat(1_000_000)}end`, { maxLineColumns: 20 });
    assert.equal(
      text,
      `start${"x".repeat(15)}\n[... 0 lines, 999968 bytes omitted ...]\n${"x".repeat(17)}end`,
    );
    assert.equal(omitted.bytes, 999_968);
  });

  it("and by no piece of an escape sequence", async () => {
    for (let maxChars = 1990; maxChars < 2030; maxChars++) {
      const { text } = await of("\x1b[38;5;123mW".repeat(60_000), { maxChars });
      assert.match(text, /^W+\n\[[^\]]+\]\nW+$/);
    }
  });

  it("a line longer than the limit is clamped with the count of its columns", async () => {
    const { text, omitted, truncated } = await of(`a\n${"x".repeat(3000)}\nb\n`, { footer: "F" });
    assert.equal(text, `a\n${"x".repeat(2000)} [... 1000 columns omitted ...]\nb\nF`);
    assert.equal(omitted.columns, 1000);
    assert.equal(truncated, true);
  });

  it("what is lost is said to be lost", async () => {
    const text = numbered(1000);
    const gaps = [{ from: 100, to: 5000 }, { from: 6000, to: 7000 }];
    const result = await excerpt(new FakeSource(text, { gaps }), {});
    assert.match(result.text, /at least \d+ lines, \d+ bytes omitted, 5900 of them lost/);
    assert.equal(result.omitted.lostBytes, 5900);
  });
});

describe("binary output is shown as such", () => {
  const rows: [string, number[], string | undefined][] = [
    ["PNG", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0], "PNG image"],
    ["gzip", [0x1f, 0x8b, 0x08, 0, 0, 0], "gzip data"],
    ["ELF", [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1], "ELF file"],
    ["zip", [0x50, 0x4b, 3, 4, 20, 0], "zip archive"],
    ["PDF", [...bytesOf("%PDF-1.7\n")], "PDF document"],
    ["random bytes", Array.from({ length: 1000 }, (_, i) => i * 7919 % 256), "binary data"],
    ["NULs", new Array(100).fill(0), "binary data"],
    ["names with NULs between", [...bytesOf("src/some/file.ts\0".repeat(50))], undefined],
    ["Latin-1", Array.from({ length: 100 }, (_, i) => i % 9 === 0 ? 0xe9 : 0x61), undefined],
    ["colours", [...bytesOf("\x1b[31mx\x1b[0m\n".repeat(50))], undefined],
    ["Chinese", [...bytesOf("你好世界\n".repeat(5000))], undefined],
    ["the letters MZ", [...bytesOf("MZ and text\n")], undefined],
  ];
  for (const [name, bytes, kind] of rows) {
    it(`${name}: ${kind ?? "text"}`, async () => {
      const source = memorySource(Uint8Array.from(bytes));
      const result = await excerpt(source, { footer: "saved" });
      assert.equal(result.binary, kind);
      if (kind !== undefined) {
        assert.equal(result.text, `[${kind}, ${bytes.length} bytes, not shown as text]\nsaved`);
      }
    });
  }
});

describe("binary data behind text is left out", () => {
  const text = numbered(1500);
  const binary = Uint8Array.from({ length: 50_000 }, (_, i) => i * 7919 % 251 < 99 ? 0 : i * 7919);
  const rows: [string, (string | Uint8Array)[]][] = [
    ["at the end", [text, binary]],
    ["in the middle", [text, binary, text]],
    ["in the middle, with words of errors", [text, binary, "\nx\0\0\0error\0\0\n", binary, text]],
  ];
  for (const [name, parts] of rows) {
    for (const maxChars of [100_000, 2000]) {
      it(`${name}, within ${maxChars} characters`, async () => {
        const bytes = Buffer.concat(parts.map((part) => Buffer.from(part)));
        const { text: shown, omitted } = await excerpt(memorySource(bytes), { maxChars });
        assert.match(shown, /^line 1\n[^]*\n\[\.\.\. .* bytes omitted/);
        // What is in no window is not shown, whatever it is.
        if (maxChars > 2000) assert.match(shown, /omitted, binary data among them \.\.\.\]/);
        assert.ok(!shown.includes("\ufffd") && !shown.includes("\0"), "no binary data is shown");
        assert.equal(shown.endsWith("line 1500"), parts.length > 2);
        assert.ok(omitted.bytes >= binary.length);
      });
    }
  }
});

describe("lines that look like errors", () => {
  const yes = [
    "error[E0308]: mismatched types",
    "src/x.ts(3,1): error TS2322: Type",
    "npm ERR! code ELIFECYCLE",
    "error: none of the selected packages contains these features: x",
    "FAILED tests/test_a.py::test_b",
    "Traceback (most recent call last):",
    "panic: runtime error: index out of range",
    "bash: foo: command not found",
    "ld: undefined reference to `main'",
    "not ok 3 - adds",
    "Segmentation fault (core dumped)",
    "rm: cannot remove 'x': Permission denied",
  ];
  const no = [
    "0 errors, 12 warnings",
    "12 passed, 0 failed",
    "errors: 0",
    "errors: none",
    "errors: none, warnings: 2",
    "gcc -Werror -c a.c",
    "all good",
    "test result: ok. 3 passed; 0 failed; 0 ignored",
  ];
  for (const line of yes) it(`"${line}" does`, () => assert.notEqual(errorSign(line), undefined));
  for (const line of no) it(`"${line}" does not`, () => assert.equal(errorSign(line), undefined));
});

const line = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 30 }).map((text) => text.replaceAll(/\p{Cc}/gu, "")),
  fc.constantFrom(
    "error: it broke",
    "the same line again and again",
    "",
    "x".repeat(100),
    "世界".repeat(20),
  ),
);
const log = fc.tuple(fc.array(line, { maxLength: 80 }), fc.boolean())
  .map(([lines, closed]) => lines.join("\n") + (closed ? "\n" : ""));
describe("a limit of an excerpt that is none is an error that names it", () => {
  for (const name of ["maxLines", "maxChars", "maxLineColumns", "maxScanBytes"]) {
    it(name, async () => {
      for (const value of noLimits) {
        await assert.rejects(of("text", { [name]: value }), {
          name: "TypeError",
          message: `Cannot take an excerpt with ${name} ${shownValue(value)}: ` +
            `it must be a whole number, 0 or more`,
        });
      }
      assert.equal((await of("text", { [name]: Infinity })).text, "text");
    });
  }
});

it("an option that an excerpt does not have is an error", async () => {
  const message = /^Cannot take an excerpt with maxLine 2: there is no such option; there are /;
  // @ts-expect-error A caller without types can misspell it.
  await assert.rejects(of("text", { maxLine: 2 }), { name: "TypeError", message });
});

const limits = fc.record({
  maxLines: fc.integer({ min: 0, max: 60 }),
  maxChars: fc.integer({ min: 0, max: 1500 }),
  maxLineColumns: fc.integer({ min: 1, max: 120 }),
  maxScanBytes: fc.constantFrom(0, 10, 100, 10_000),
  footer: fc.constantFrom("", "Read on at /tmp/x", "😀".repeat(50)),
});

describe("whatever the output and the limits", () => {
  it("an excerpt never exceeds its budget, and never cuts a surrogate pair", async () => {
    await fc.assert(
      fc.asyncProperty(log, limits, async (text, limits) => {
        const { text: shown } = await of(text, limits);
        assert.ok(shown.length <= limits.maxChars, `${shown.length} of ${limits.maxChars}`);
        assert.ok(!/\p{Surrogate}/u.test(shown));
        const body = limits.footer !== "" && shown.endsWith(limits.footer)
          ? shown.slice(0, -limits.footer.length - 1)
          : shown;
        assert.ok(body.split("\n").length <= Math.max(1, limits.maxLines), "lines");
      }),
      { numRuns: sized(200, 1_000) },
    );
  });

  it("what is shown and what is omitted add up, in bytes and in lines", async () => {
    await fc.assert(
      fc.asyncProperty(log, limits, async (text, limits) => {
        const result = await of(text, limits);
        if (result.binary !== undefined) return;
        const { head, tail } = result.shown;
        const bytes = bytesOf(text);
        assert.equal(
          head.to - head.from + tail.to - tail.from + result.omitted.bytes,
          bytes.length,
        );
        const lines = text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
        if (result.total.lines !== null) assert.equal(result.total.lines, lines);
        const newlines = (from: number, to: number) =>
          bytes.subarray(from, to).filter((byte) => byte === 10).length;
        const { minLines, unsearchedBytes } = result.omitted;
        const among = newlines(head.to, tail.from) + 1;
        assert.ok(minLines <= among, `at least ${minLines} lines of ${among}`);
        assert.ok(unsearchedBytes >= 0 && unsearchedBytes <= result.omitted.bytes);
        if (result.omitted.lines !== null && result.omitted.bytes > 0) {
          assert.equal(minLines, result.omitted.lines);
          const open = tail.from === tail.to && bytes.at(-1) !== 10 ? 1 : 0;
          assert.equal(result.omitted.lines, newlines(head.to, tail.from) + open);
        }
        const rows = text.split("\n");
        for (const error of result.errors) {
          if (error.line !== null && !error.text.includes("…")) {
            assert.ok(rows[error.line - 1]?.includes(error.text), `line ${error.line}`);
            assert.equal(newlines(0, error.offset) + 1, error.line);
          }
          assert.ok(error.offset >= head.to && error.offset < tail.from);
        }
      }),
      { numRuns: sized(200, 1_000) },
    );
  });

  it("the pieces in which a source answers make no difference", async () => {
    await fc.assert(
      fc.asyncProperty(
        log,
        limits,
        fc.integer({ min: 1, max: 50 }),
        async (text, limits, maxRead) => {
          const pieces = await excerpt(new FakeSource(text, { maxRead }), limits);
          assert.deepEqual(pieces, await of(text, limits));
        },
      ),
      { numRuns: sized(60, 300) },
    );
  });

  it("gaps are never shown, and the budget holds with them", async () => {
    const gaps = fc.array(fc.tuple(fc.nat(1500), fc.nat(500)), { maxLength: 4 }).map((pairs) => {
      let at = 0;
      return pairs.map(([skip, length]) => {
        const from = at + skip;
        at = from + length + 1;
        return { from, to: at - 1 };
      });
    });
    await fc.assert(
      fc.asyncProperty(log, limits, gaps, async (text, limits, gaps) => {
        const { text: shown, shown: ranges, binary, omitted } = await excerpt(
          new FakeSource(text, { gaps }),
          limits,
        );
        assert.ok(shown.length <= limits.maxChars);
        if (binary !== undefined) return;
        for (
          const gap of gaps.filter((gap) => gap.to > gap.from && gap.from < bytesOf(text).length)
        ) {
          assert.ok(gap.from >= ranges.head.to || gap.to <= ranges.head.from);
          assert.ok(
            gap.to <= ranges.tail.from || gap.from >= ranges.tail.to ||
              ranges.tail.from === ranges.tail.to,
          );
          assert.ok(omitted.bytes > 0);
        }
      }),
      { numRuns: sized(200, 1_000) },
    );
  });
});

describe("an excerpt costs what its windows cost", () => {
  it("however long the output is", async () => {
    const source = new FakeSource(numbered(50_000), {});
    await excerpt(source, { maxChars: 1000, maxScanBytes: 10_000 });
    assert.ok(source.readBytes <= 4 * 1000 + 10_000 + 1, `${source.readBytes} bytes`);
  });
});
