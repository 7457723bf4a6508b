import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { lines, type LinesOptions } from "../../src/text/lines.ts";
import { search } from "../../src/text/search/search.ts";
import { shownValue } from "../../src/value/shown.ts";
import { bytesOf, FakeSource, memorySource, noLimits, utf16 } from "./sources.ts";
import { sized } from "../sized.ts";

const numbered = (count: number): string =>
  Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join("");
const of = (text: string, options: LinesOptions = {}) =>
  lines(memorySource(bytesOf(text)), options);
const texts = (read: Awaited<ReturnType<typeof of>>): string[] =>
  read.lines.map((line) => line.text);

describe("lines are read", () => {
  it("by number", async () => {
    const read = await of(numbered(100_000), { fromLine: 90_001, maxLines: 2 });
    assert.deepEqual(texts(read), ["line 90001", "line 90002"]);
    assert.equal(read.firstLine, 90_001);
    assert.equal(read.atEnd, false);
  });

  it("by offset, on and on, until the end", async () => {
    const first = await of(numbered(5), { maxLines: 3 });
    const rest = await of(numbered(5), { from: first.to, maxLines: 3 });
    assert.deepEqual([texts(first), texts(rest)], [["line 1", "line 2", "line 3"], [
      "line 4",
      "line 5",
    ]]);
    assert.deepEqual([first.firstLine, rest.firstLine, first.atEnd, rest.atEnd], [
      1,
      null,
      false,
      true,
    ]);
  });

  it("with the last one that has no newline", async () => {
    assert.deepEqual(texts(await of("a\nb")), ["a", "b"]);
  });

  it("beyond the end: none", async () => {
    const read = await of("a\nb\n", { fromLine: 9 });
    assert.deepEqual([read.lines.length, read.from, read.atEnd], [0, 4, true]);
    assert.deepEqual((await of("a\nb\n", { from: 99 })).lines, []);
    assert.deepEqual((await of("")).atEnd, true);
  });

  it("with how many there are, once that is known", async () => {
    const count = async (text: string, options: LinesOptions) =>
      (await of(text, options)).totalLines;
    for (const [text, lines] of [["", 0], ["\n", 1], ["a\nb", 2], ["a\nb\n", 2]] as const) {
      for (const fromLine of [1, 2, 3, 4, 9]) {
        assert.equal(await count(text, { fromLine }), lines, JSON.stringify({ text, fromLine }));
      }
    }
    assert.equal(await count("a\rb\nc\rd", { progress: "frames" }), 2);
    assert.equal(await count("a\nb\n", { maxLines: 1 }), null);
    assert.equal(await count("a\nb\n", { from: 2 }), null);
    const lost = new FakeSource("a\nb\nc\n", { gaps: [{ from: 2, to: 3 }] });
    for (const fromLine of [1, 9]) assert.equal((await lines(lost, { fromLine })).totalLines, null);
  });

  it("with what is lost as one range, however a source answers", async () => {
    const source = new FakeSource(numbered(100), { gaps: [{ from: 21, to: 42 }], maxRead: 4 });
    assert.deepEqual((await lines(source)).gaps, [{ from: 21, to: 42 }]);
    assert.deepEqual((await search(source, "5")).gaps, [{ from: 21, to: 42 }]);
  });

  it("by whole lines within the bytes allowed", async () => {
    const read = await of("aaaa\nbbbb\ncccc\n", { maxBytes: 12 });
    assert.deepEqual([texts(read), read.to, read.partial], [["aaaa", "bbbb"], 10, false]);
  });

  it("in parts when one is longer than the bytes allowed, and no part cuts a character", async () => {
    const text = "世".repeat(7);
    let from = 0;
    let whole = "";
    for (let i = 0; i < 20; i++) {
      const read = await of(text, { from, maxBytes: 4 });
      whole += texts(read).join("");
      from = read.to;
      if (read.atEnd) break;
      assert.equal(read.partial, true);
    }
    assert.equal(whole, text);
  });

  it("in parts of which none shows a piece of an escape sequence", async () => {
    const link = "\x1b]8;;https://example.org/a/long/address\x1b\\here\x1b]8;;\x07";
    const piece = fc.constantFrom("\x1b[38;5;123m", "W", "世", link, "\x1b(B");
    const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 4, max: 30 }), async (text, maxBytes) => {
        let whole = "";
        let from = 0;
        for (let i = 0; i < 1000; i++) {
          const read = await of(text, { from, maxBytes });
          whole += texts(read).join("");
          if (read.atEnd) break;
          assert.ok(read.to > from, "it goes on");
          from = read.to;
        }
        assert.equal(whole, texts(await of(text)).join(""));
      }),
      { numRuns: sized(60, 300) },
    );
  });

  it("in parts from a source that answers with single bytes, without standing still", async () => {
    const text = "a世é😀".repeat(3);
    const source = new FakeSource(text, { maxRead: 1 });
    let whole = "";
    let from = 0;
    for (let i = 0; i < 20; i++) {
      const read = await lines(source, { from, maxBytes: 4 });
      whole += texts(read).join("");
      if (read.atEnd) break;
      assert.ok(read.to > from, "it goes on");
      from = read.to;
    }
    assert.equal(whole, text);
  });

  it("with bytes that are no character, also where the reading begins", async () => {
    const bytes = (text: string) => Uint8Array.from(text, (unit) => unit.charCodeAt(0));
    const shown = async (text: string, from: number) => {
      const read = await lines(new FakeSource(bytes(text), { maxRead: 2 }), { from });
      return [read.from, ...texts(read)];
    };
    assert.deepEqual(await shown("ok\n\xa9 2024 Foo\n", 3), [3, "� 2024 Foo"]);
    assert.deepEqual(await shown("\xf0\x9f\x98b\n", 2), [3, "b"]);
  });

  it("up to a gap and on after it, with numbers only before it", async () => {
    const source = new FakeSource(numbered(100), { gaps: [{ from: 10, to: 100 }] });
    const read = await lines(source, { maxLines: 4 });
    assert.deepEqual(texts(read), ["line 1", "lin", "14", "line 15"]);
    assert.deepEqual(read.gaps, [{ from: 10, to: 100 }]);
    assert.equal((await lines(source, { fromLine: 50 })).firstLine, null);
  });

  it("of UTF-16 as of UTF-8, also where half a character is the byte of a newline", async () => {
    const text = fc.string({ unit: fc.constantFrom("a", "\n", "ਊ", "Ċ", "a\n"), maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(text, fc.nat(9), fc.nat(7), fc.boolean(), async (text, skip, cut, big) => {
        const options = { fromLine: skip + 1, maxLines: 3 };
        const expected = texts(await of(text, options));
        const source = new FakeSource(utf16(text, big), cut === 0 ? {} : { maxRead: cut });
        const read = await lines(source, { ...options, encoding: big ? "utf-16be" : "utf-16le" });
        assert.deepEqual(texts(read), expected);
      }),
      { numRuns: sized(100, 500) },
    );
  });

  it("and a first line that is none is an error", async () => {
    for (const fromLine of [0, Infinity, ...noLimits]) {
      await assert.rejects(of("a", { fromLine }), {
        name: "TypeError",
        message: `Cannot read lines with fromLine ${shownValue(fromLine)}: ` +
          "it must be a whole number, 1 or more",
      });
    }
  });

  it("and an option that there is not is an error with those that there are", async () => {
    // @ts-expect-error A caller without types can misspell it.
    await assert.rejects(of("a", { maxLine: 2 }), {
      name: "TypeError",
      message: "Cannot read lines with maxLine 2: there is no such option; there are encoding, " +
        "progress, maxColumns, fromLine, from, maxLines, maxBytes",
    });
  });

  it("and a limit or offset that is no number from 0 on is an error that names it", async () => {
    for (const name of ["from", "maxLines", "maxBytes", "maxColumns"]) {
      for (const value of noLimits) {
        await assert.rejects(of("a", { [name]: value }), {
          name: "TypeError",
          message: `Cannot read lines with ${name} ${shownValue(value)}: ` +
            "it must be a whole number, 0 or more",
        });
      }
    }
    assert.deepEqual(texts(await of("a", { maxLines: Infinity, maxBytes: Infinity })), ["a"]);
  });

  it("joined, they are the whole, however they are cut", async () => {
    const log = fc.array(
      fc.string({ unit: "grapheme", maxLength: 20 }).map((line) => line.replaceAll(/\p{Cc}/gu, "")),
    )
      .map((lines) => lines.join("\n"));
    const options = fc.record({
      maxLines: fc.integer({ min: 1, max: 5 }),
      maxBytes: fc.integer({ min: 4, max: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(log, options, fc.boolean(), async (text, options, frames) => {
        let whole = "";
        let from = 0;
        for (let i = 0; i < 10_000; i++) {
          const read = await of(text, {
            from,
            ...options,
            progress: frames ? "frames" : "collapse",
          });
          whole += read.lines.map((line) => line.text + (line.end === "newline" ? "\n" : "")).join(
            "",
          );
          if (read.atEnd) break;
          assert.ok(read.to > from, "it goes on");
          from = read.to;
        }
        assert.equal(whole, text);
      }),
      { numRuns: sized(60, 300) },
    );
  });
});
