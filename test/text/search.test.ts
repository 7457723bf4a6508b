import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { search, type SearchOptions } from "../../src/text/search/search.ts";
import { shownValue } from "../../src/value/shown.ts";
import { bytesOf, FakeSource, memorySource, noLimits } from "./sources.ts";
import { sized } from "../sized.ts";

const of = (text: string, expression: string, options: SearchOptions = {}) =>
  search(memorySource(bytesOf(text)), expression, options);

const numbered = (count: number): string =>
  Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join("");

/** A clock that goes on by 10 ms whenever it is read. */
function ticking(): NonNullable<SearchOptions["clock"]> {
  let now = 0;
  return {
    monotonic: () => now += 10,
    after: (_ms, call) => {
      queueMicrotask(call);
      return () => {};
    },
  };
}

describe("a search finds the lines that match", () => {
  const text =
    "alpha one\r\nbeta TWO\n\x1b[31mgam\x1b[0mma three\n 10%\r 20% done\nlast: größe 世界";
  const rows: [string, string, SearchOptions, number[]][] = [
    ["words", "beta", {}, [2]],
    ["alternatives", "beta|last", {}, [2, 5]],
    ["regardless of case", "two", { ignoreCase: true }, [2]],
    ["with regard to case", "two", {}, []],
    ["the end of a line before CRLF", "one$", {}, [1, 4]],
    ["the end of a line", "^beta TWO$", {}, [2]],
    ["through colours", "gamma", {}, [3]],
    ["the last state of a progress bar", "20% done", {}, [4]],
    ["no earlier state of a progress bar", "10%", {}, []],
    ["characters beyond ASCII", "größe 世.$", {}, [5]],
    ["classes and repetitions", "^[a-z]+ (one|three)$", {}, [1, 3]],
    ["case within the expression", "(?i)Two", {}, [2]],
    ["escaped punctuation", "last\\:", {}, [5]],
    ["a dot as any character", "al.ha", {}, [1]],
    ["an escaped dot as a dot", "al\\.ha", {}, []],
    ["every line", ".*", {}, [1, 2, 3, 4, 5]],
    ["frames when asked", "10%", { progress: "frames" }, [4]],
  ];
  for (const [name, expression, options, lines] of rows) {
    it(`${name}: ${expression}`, async () => {
      const result = await of(text, expression, options);
      assert.deepEqual(result.matches.map((match) => match.line), lines);
      assert.equal(result.truncated, false);
      assert.equal(result.endedBy, "end");
      assert.equal(result.scannedBytes, bytesOf(text).length);
    });
  }

  it("with their offsets and the lines around them", async () => {
    const { matches } = await of(numbered(9), "[37]$", { before: 2, after: 2 });
    assert.deepEqual(matches, [
      {
        line: 3,
        offset: 14,
        text: "line 3",
        before: ["line 1", "line 2"],
        after: ["line 4", "line 5"],
      },
      {
        line: 7,
        offset: 42,
        text: "line 7",
        before: ["line 5", "line 6"],
        after: ["line 8", "line 9"],
      },
    ]);
  });

  it("from an offset inside a character on, or inside an escape sequence", async () => {
    const text = "é abc\n\x1b[31mred\x1b[m\n";
    const shown = async (expression: string, from: number) =>
      (await of(text, expression, { from })).matches.map(({ offset, text }) => [offset, text]);
    assert.deepEqual(await shown("abc", 1), [[2, " abc"]]);
    for (const from of [7, 8, 9, 11]) assert.deepEqual(await shown("red", from), [[7, "red"]]);
    assert.deepEqual(await shown("red", 12), [[12, "red"]]);
  });

  it("and shows a long line around its match", async () => {
    const { matches } = await of(`${"a".repeat(5000)}needle${"b".repeat(5000)}`, "needle", {
      maxLineChars: 20,
    });
    assert.equal(matches[0]?.text, "…aaaaaaaneedlebbbbbbb…");
  });

  it("and says when the end of a line was not searched", async () => {
    const result = await of(`${"a".repeat(5000)}needle\n`, "needle", { maxColumns: 100 });
    assert.equal(result.matches.length, 0);
    assert.equal(result.clampedLines, 1);
  });
});

describe("a search is bounded", () => {
  it("in matches, the lines after the last of them included", async () => {
    const result = await of(numbered(100), "line", { maxMatches: 2, after: 1 });
    assert.deepEqual(result.matches.map(({ line, after }) => [line, after]), [[1, ["line 2"]], [2, [
      "line 3",
    ]]]);
    assert.equal(result.endedBy, "matches");
    assert.equal(result.truncated, true);
    const rest = await of(numbered(100), "line", { from: result.to, maxMatches: 1 });
    assert.equal(rest.matches[0]?.text, "line 4");
    assert.equal(rest.matches[0]?.line, null);
  });

  it("in what it keeps, however much is wanted around the matches", async () => {
    const text = numbered(20_000);
    const options = { before: 1e6, after: 1e6, maxMatches: 1e6, maxChars: 10_000 };
    let from = 0;
    let found = 0;
    for (let i = 0; i < 1000 && from < text.length; i++) {
      const { matches, endedBy, to } = await of(text, "line .*50$", { ...options, from });
      const kept = matches.flatMap(({ text, before, after }) => [text, ...before, ...after]);
      // And of the last match a thousand lines before it.
      assert.ok(kept.join("\n").length < 10_000 + 11_000);
      if (endedBy !== "end") assert.equal(endedBy, "chars");
      found += matches.length;
      from = to;
    }
    assert.equal(found, 200);
  });

  it("in bytes", async () => {
    const result = await of(numbered(100_000), "line 99999$", { maxBytes: 100_000 });
    const next = await of(numbered(100_000), ".*", { from: result.to, maxMatches: 1 });
    assert.match(next.matches[0]?.text ?? "", /^line \d+$/, "it goes on at a line");
    assert.deepEqual([result.matches.length, result.endedBy, result.scannedBytes], [
      0,
      "bytes",
      100_000,
    ]);
  });

  it("in time, by the clock that it is given", async () => {
    const result = await of(numbered(100_000), "absent", { timeoutMs: 50, clock: ticking() });
    assert.equal(result.endedBy, "time");
    assert.ok(result.scannedBytes < 500_000);
    const rest = await of(numbered(100_000), "line 99999$", { from: result.to });
    assert.equal(rest.matches.length, 1);
  });

  it("in time, and gets on inside a line that takes longer", async () => {
    const texts = [
      `${"x".repeat(300_000)}\nneedle\n`,
      `${"x".repeat(5000)}\n${"x".repeat(5000)}\nneedle\n`,
    ];
    for (const text of texts) {
      for (const timeoutMs of [0, 50]) {
        let from = 0;
        let found = 0;
        for (let i = 0; i < 100; i++) {
          const result = await of(text, "needle", { from, timeoutMs, clock: ticking() });
          found += result.matches.length;
          if (result.endedBy === "end") break;
          assert.equal(result.endedBy, "time");
          assert.ok(result.to > from, "it goes on");
          from = result.to;
        }
        assert.equal(found, 1);
      }
    }
  });

  it("in bytes, and cuts no character", async () => {
    const text = "aé".repeat(10);
    const first = await of(text, "a", { maxBytes: 5 });
    const second = await of(text, "a", { maxBytes: 5, from: first.to });
    assert.deepEqual([first, second].map(({ matches }) => matches[0]?.text), ["aéa", "éaé"]);
  });

  it("whatever the bounds, so that its parts are the whole", async () => {
    const link = "\x1b]8;;https://example.org/a/long/address\x1b\\here\x1b]8;;\x07";
    const piece = fc.constantFrom("\x1b[38;5;123m", "W", "é", "世", "😀", "\n", link, "\x1b(B");
    const log = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""));
    const bounds = fc.oneof(
      fc.record({ maxBytes: fc.integer({ min: 0, max: 30 }) }),
      fc.record({ timeoutMs: fc.constantFrom(0, 20) }),
    );
    const shown = async (source: FakeSource, options: SearchOptions = {}) => {
      const { matches, ...rest } = await search(source, ".", { ...options, clock: ticking() });
      return { ...rest, text: matches.map(({ text }) => text).join("") };
    };
    await fc.assert(
      fc.asyncProperty(log, bounds, fc.integer({ min: 1, max: 50 }), async (text, how, maxRead) => {
        const source = new FakeSource(text, { maxRead });
        let whole = "";
        let from = 0;
        for (let i = 0; i < 1000; i++) {
          const result = await shown(source, { ...how, from });
          whole += result.text;
          if (result.endedBy === "end") break;
          assert.ok(result.to > from, "it goes on");
          from = result.to;
        }
        assert.equal(whole, (await shown(source, { timeoutMs: Infinity })).text);
      }),
      { numRuns: sized(60, 300) },
    );
  });

  it("by a signal", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    await assert.rejects(of(numbered(10), "x", { signal }), { message: "enough" });
  });

  it("by expressions that make other engines hang", { timeout: 20_000 }, async () => {
    const text = `${"a".repeat(10_000)}!\n`;
    for (
      const expression of [
        "(a+)+$",
        "^(a|a)*$",
        "(a|aa)+$",
        "(.*a){20}b",
        "^(([a-z])+.)+[A-Z]([a-z])+$",
      ]
    ) {
      const result = await of(text, expression, {});
      assert.equal(result.matches.length, 0, expression);
    }
  });
});

describe("an expression that is none is an error that names it", () => {
  const rows: [string, RegExp][] = [
    ["(", /^Cannot search for "\(": missing closing \)/],
    ["[a", /^Cannot search for "\[a": missing closing \]/],
    [
      "a(?=b)",
      /^Cannot search for "a\(\?=b\)": .*look-around and back-references are not supported$/,
    ],
    [
      "(a)\\1",
      /^Cannot search for "\(a\)\\1": .*look-around and back-references are not supported$/,
    ],
    ["*", /^Cannot search for "\*": missing argument to repetition operator/],
    ["", /^Cannot search for "": it is empty$/],
    ["a{2000}", /^Cannot search for "a\{2000\}": invalid repeat count/],
    ["((((a{100}){100}){100}){100})", /^Cannot search for "/],
    ["x".repeat(1001), /^Cannot search for "x{40}\.\.\.": it is longer than 1000 characters$/],
  ];
  for (const [expression, message] of rows) {
    it(JSON.stringify(expression.slice(0, 40)), async () => {
      await assert.rejects(of("text", expression), { name: "SyntaxError", message });
    });
  }
});

it("an expression of JavaScript is an error that says which are taken", async () => {
  const message = "Cannot search for /a/: it must be a string, by the syntax of RE2";
  await assert.rejects(of("text", /a/ as never), { name: "TypeError", message });
});

describe("a limit or offset of a search that is no number from 0 on is an error that names it", () => {
  const names = ["from", "to", "before", "after", "maxMatches", "maxBytes", "timeoutMs"];
  for (const name of [...names, "maxLineChars", "maxChars", "maxColumns"]) {
    it(name, async () => {
      for (const value of noLimits) {
        if (name === "timeoutMs" && value === 1.5) continue;
        const kind = name === "timeoutMs" ? "number" : "whole number";
        await assert.rejects(of("text", "t", { [name]: value }), {
          name: "TypeError",
          message: `Cannot search with ${name} ${
            shownValue(value)
          }: it must be a ${kind}, 0 or more`,
        });
      }
      assert.equal((await of("text", "t", { [name]: Infinity })).truncated, false);
    });
  }
});

it("an option that a search does not have is an error", async () => {
  const message = /^Cannot search with context 2: there is no such option; there are /;
  // @ts-expect-error A caller without types can take one for another.
  await assert.rejects(of("text", "t", { context: 2 }), { name: "TypeError", message });
});

describe("a search meets what is lost", () => {
  const text = numbered(1000);
  const gaps = [{ from: 700, to: 4321 }];

  it("and knows the numbers of lines before it", async () => {
    const result = await search(new FakeSource(text, { gaps }), "line (5|999)$");
    assert.deepEqual(result.matches.map((match) => match.line), [5, null]);
    assert.deepEqual(result.gaps, gaps);
  });

  it("and takes no line beyond it for the context of one before", async () => {
    const { matches } = await search(
      new FakeSource("a\nb\nc\nd\n", { gaps: [{ from: 4, to: 6 }] }),
      "b|d",
      {
        before: 3,
        after: 3,
      },
    );
    assert.deepEqual(matches.map(({ before, after }) => [before, after]), [[["a"], []], [[], []]]);
  });
});

describe("whatever the output", () => {
  const line = fc.string({
    unit: fc.constantFrom("a", "b", "c", "é", "世", " ", ".", "\r"),
    maxLength: 12,
  });
  const log = fc.array(line, { maxLength: 60 }).map((lines) => lines.join("\n"));
  const expression = fc.constantFrom(
    "a",
    "a|b",
    "^a",
    "b$",
    "a.c",
    "[ab]+c",
    "é",
    "世.?a",
    "(a|b)*c",
    "\\.",
  );

  it("a search in pieces finds what a search in the whole does", async () => {
    await fc.assert(
      fc.asyncProperty(
        log,
        expression,
        fc.integer({ min: 1, max: 40 }),
        fc.nat(3),
        async (text, expression, maxRead, around) => {
          const options = { before: around, after: around };
          const pieces = await search(new FakeSource(text, { maxRead }), expression, options);
          assert.deepEqual(pieces, await of(text, expression, options));
        },
      ),
      { numRuns: sized(50, 200) },
    );
  });

  it("a search finds what the engine of the platform finds", async () => {
    await fc.assert(
      fc.asyncProperty(log, expression, async (text, expression) => {
        const plain = text.replaceAll("\r", "");
        const native = new RegExp(expression, "u");
        const lines = plain.split("\n");
        if (lines.at(-1) === "") lines.pop();
        const { matches } = await of(plain, expression);
        assert.deepEqual(
          matches.map((match) => match.line),
          lines.flatMap((line, i) => native.test(line) ? [i + 1] : []),
        );
      }),
      { numRuns: sized(50, 200) },
    );
  });
});
