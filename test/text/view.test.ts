import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { TextView, type TextViewOptions, type ViewLine } from "../../src/text/view/text-view.ts";
import { decoderOf } from "../../src/text/decode/decode.ts";
import { edgeAfter } from "../../src/text/decode/edges.ts";
import { textView } from "../../src/text/view/text-window.ts";
import { shownValue } from "../../src/value/shown.ts";
import { bytesOf, chunked, noLimits } from "./sources.ts";
import { sized } from "../sized.ts";

const textOf = (input: string, options: TextViewOptions = {}): string =>
  textView(bytesOf(input), { last: true, ...options }).text;

const viewed = (chunks: readonly Uint8Array[], options: TextViewOptions = {}): ViewLine[] => {
  const view = new TextView(options);
  return [...chunks.flatMap((chunk) => view.push(chunk)), ...view.end()];
};

const family = "👨‍👩‍👧";

describe("a line with carriage returns shows what a terminal would", () => {
  const rows: [string, string][] = [
    ["Initial text\rReplacement text\r", "Replacement text"],
    ["Hello\rWorld\r", "World"],
    ["Line1\r\n", "Line1\n"],
    ["Line1\r\r\r\nx", "Line1\nx"],
    [
      "Line 1\rUpdated Line 1\nLine 2\rUpdated Line 2\rFinal Line 2",
      "Updated Line 1\nFinal Line 2 2",
    ],
    ["Step 1: Starting\rStep 1: In progress\rStep 1: Done", "Step 1: Donerogress"],
    ["Initial\r\r\r\rFinal", "Finalal"],
    ["\r\r\r\r", ""],
    ["Start\rEnd", "Endrt"],
    ["你好世界啊\r你好地球", "你好地球啊"],
    ["Downloading 10%\rDone      \n", "Done      g 10%\n"],
    ["abc\n\rdef", "abc\ndef"],
    ["世界\rab", "ab界"],
    ["世界\ra", "a 界"],
    ["e\u0301x\rY", "Yx"],
    [`${family}x\rab`, "abx"],
    [`${family}x\ra`, "a x"],
    ["❤\ufe0fx\rab", "abx"],
    ["👍🏽x\rab", "abx"],
    ["🇩🇪🇫🇷\rab", "ab🇫🇷"],
    ["한\u1100\u1161\rab", "ab\u1100\u1161"],
    ["\x1b[31mred\x1b[0m\rX", "Xed"],
    ["abc\r\x1b[Kd", "d"],
    ["Downloading 100%\r\x1b[Jdone", "done"],
    ["abc\x1b[2J", "abc"],
    ["50%\r\x1b[2K100%\n", "100%\n"],
    ["a\tb\rX", "X\tb"],
    ["abc\r\tX", "abc     X"],
    ["a世\b\bb", "ab "],
    ["loading\x1b[1G\x1b[0Kdone", "done"],
    ["abcdef\b\b\b\x1b[0J", "abc"],
  ];
  for (const [input, output] of rows) {
    it(`${JSON.stringify(input)} is ${JSON.stringify(output)}`, () => {
      assert.equal(textOf(input), output);
    });
  }

  it("keeps each state as a line when progress is asked for in frames", () => {
    const input = "start\rone\r\rtwo\r\nnext";
    assert.equal(textOf(input, { progress: "frames" }), "start\none\ntwo\nnext");
    const [line] = viewed([bytesOf(`a\r${"b".repeat(9)}\r${"c".repeat(9)}\rd\n`)], {
      progress: "frames",
      maxColumns: 10,
    });
    assert.deepEqual([line?.text, line?.omittedColumns], ["a\nd", 18]);
  });
});

describe("a backspace moves the cursor, and what was there stays until it is overwritten", () => {
  const rows: [string, string][] = [
    ["abc\b\bxy", "axy"],
    ["\b\babc", "abc"],
    ["abc\b\n123\b\b", "abc\n123"],
    ["abcdef\b\b\b\bxy", "abxyef"],
    ["abc😀\b\bdef", "abcdef"],
    ["😀\b", "😀"],
    [`a${family}\bb`, "a b"],
    ["a\n\bb", "a\nb"],
    ["Loading...\b\b\b\b\b\b\b\b\b\bDone!", "Done!ng..."],
    ["_\bu_\bn", "un"],
  ];
  for (const [input, output] of rows) {
    it(`${JSON.stringify(input)} is ${JSON.stringify(output)}`, () => {
      assert.equal(textOf(input), output);
    });
  }
});

const sequences: [string, string, string][] = [
  ["SGR", "a\x1b[1;38;5;200mb\x1b[0m", "ab"],
  ["SGR with colons", "a\x1b[4:3mb", "ab"],
  ["private mode", "a\x1b[?25lb", "ab"],
  ["kitty keyboard", "a\x1b[>1ub", "ab"],
  ["cursor shape", "a\x1b[2 qb", "ab"],
  ["cursor movement, which takes a screen", "a\x1b[1Ab\x1b[3C\x1b[2;5Hc\x1b[2P\x1b7", "abc"],
  ["OSC title ended by BEL", "a\x1b]0;title with spaces\x07b", "ab"],
  ["OSC title ended by ST", "a\x1b]0;tïtle 中\x1b\\b", "ab"],
  ["OSC hyperlink", "\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"],
  ["DCS", "a\x1bP1$r0m\x1b\\b", "ab"],
  ["sixel", "a\x1bPq#0;2;0;0;0~~@@\x1b\\b", "ab"],
  ["APC", "a\x1b_Gf=24;AAAA\x1b\\b", "ab"],
  ["PM", "a\x1b^private\x1b\\b", "ab"],
  ["SOS", "a\x1bXstring\x1b\\b", "ab"],
  ["charset", "a\x1b(0b\x1b(B", "ab"],
  ["cancelled sequence", "a\x1b[31\x18b", "ab"],
  ["cancelled string", "a\x1b]0;t\x1ab", "ab"],
  ["sequence cut short by another", "a\x1b[3\x1b[1mb", "ab"],
  ["string cut short by a sequence", "a\x1b]0;t\x1b[1mb", "ab"],
  ["sequence cut short by a newline", "a\x1b[3\nb", "a\nb"],
  ["string without end, which a newline ends", "a\x1b]0;t\nb", "a\nb"],
  ["DCS without end, which a newline ends", "a\x1bPq#0\nb", "a\nb"],
  ["return inside a sequence", "ab\x1b[\rmc", "mc"],
  ["bells, shifts and NULs", "a\x07\x0e\x0f\x00\x7fb", "ab"],
  ["erase to the end", "abcdef\b\b\b\x1b[K", "abc"],
  ["erase to the cursor", "abcdef\b\b\b\x1b[1K", "    ef"],
  ["erase the line", "abc\x1b[2Kd", "   d"],
  ["next line, which no counter of lines knows", "a\x1bEb\u0085c", "abc"],
  ["a long string", `a\x1bPq${"~".repeat(1000)}\x1b\\b`, "ab"],
  ["marks before any letter", "\u0301a", "\u0301a"],
];

describe("escape sequences act or vanish, wherever a chunk ends", () => {
  for (const [name, input, output] of sequences) {
    it(name, () => {
      const bytes = bytesOf(input);
      assert.equal(textOf(input), output);
      for (let cut = 0; cut <= bytes.length; cut++) {
        const lines = viewed([bytes.subarray(0, cut), bytes.subarray(cut)]);
        assert.equal(lines.map((line) => line.text).join("\n"), output, `cut at ${cut}`);
      }
      const single = viewed(Array.from(bytes, (byte) => Uint8Array.of(byte)));
      assert.equal(single.map((line) => line.text).join("\n"), output, "byte by byte");
    });
  }
});

const soup = fc.array(
  fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 6 }),
    // Runs that cover what stands before them, also at the limits of columns.
    fc.constantFrom("ab", "abc", "abcdefgh", "abcdefghijkl", "x".repeat(39), "x".repeat(41)),
    fc.constantFrom("\r", "\n", "\b", "\t", "\r\n", family, "世", "e\u0301", "❤\ufe0f", "🇩🇪", "👍🏽"),
    fc.constantFrom(...sequences.map(([, input]) => input)),
    fc.constantFrom(
      "\x1b",
      "\x1b[",
      "\x1b]",
      "\x1b[K",
      "\x1b[2K",
      "\x1b[1K",
      "\x1b[G",
      "\x1b[4C",
      "\x1bP",
      "\x1b]0;t",
      "\x07",
      "\u0085",
      "\u200d",
    ),
  ),
  { maxLength: 30 },
).map((parts) => parts.join(""));
const options = fc.record({
  maxColumns: fc.constantFrom(1, 3, 8, 40, 16_384),
  progress: fc.constantFrom("collapse" as const, "frames" as const),
});
const cuts = fc.array(fc.nat(), { maxLength: 20 });

describe("whatever the chunks", () => {
  it("the view is that of the whole", () => {
    fc.assert(
      fc.property(soup, options, cuts, (text, options, cuts) => {
        const bytes = bytesOf(text);
        assert.deepEqual(viewed(chunked(bytes, cuts), options), viewed([bytes], options));
      }),
      { numRuns: sized(200, 1_000) },
    );
  });

  it("the view of arbitrary bytes is that of the whole", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), options, cuts, (bytes, options, cuts) => {
        assert.deepEqual(viewed(chunked(bytes, cuts), options), viewed([bytes], options));
      }),
      { numRuns: sized(100, 500) },
    );
  });

  it("lines follow each other without a byte between, one for each newline", () => {
    fc.assert(fc.property(soup, options, (text, options) => {
      const bytes = bytesOf(text);
      const lines = viewed([bytes], options);
      let at = 0;
      for (const line of lines) {
        assert.equal(line.from, at);
        assert.ok(line.to >= line.from);
        at = line.to;
        const last = line.to === 0 ? undefined : bytes[line.to - 1];
        if (line.end === "newline") assert.equal(last, 10);
      }
      assert.equal(
        lines.filter((line) => line.end === "newline").length,
        text.split("\n").length - 1,
      );
    }));
  });

  it("text without controls is itself", () => {
    const plain = fc.string({ unit: "grapheme" }).filter((text) =>
      !/[\p{Cc}]/u.test(text.replaceAll("\n", ""))
    );
    fc.assert(fc.property(plain, cuts, (text, cuts) => {
      const lines = viewed(chunked(bytesOf(text), cuts));
      assert.equal(
        lines.map((line) => line.text + (line.end === "newline" ? "\n" : "")).join(""),
        text,
      );
    }));
  });

  it("valid UTF-8 never becomes a replacement character", () => {
    const text = fc.string({ unit: "binary" }).map((text) =>
      text.replaceAll(/[\p{Surrogate}\ufffd]/gu, "")
    );
    fc.assert(fc.property(text, cuts, (text, cuts) => {
      for (const line of viewed(chunked(bytesOf(text), cuts))) {
        assert.ok(!line.text.includes("\ufffd"));
      }
    }));
  });
});

describe("a window never cuts a character", () => {
  it("and says which bytes it left to its neighbours, so that windows join", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", minLength: 1 }),
        fc.nat(),
        fc.nat(),
        (text, a, b) => {
          const bytes = bytesOf(text);
          const from = a % bytes.length;
          const to = from + b % (bytes.length - from + 1);
          const last = to === bytes.length;
          const { text: shown, ...window } = textView(bytes.subarray(from, to), { from, last });
          assert.ok(!shown.includes("\ufffd") || text.includes("\ufffd"));
          assert.equal(window.from, from + window.cut.before);
          assert.equal(window.to, to - window.cut.after);
          const controls = /\p{Cc}/u;
          if (!controls.test(text)) {
            assert.equal(
              shown,
              new TextDecoder().decode(
                bytes.subarray(window.from, Math.max(window.from, window.to)),
              ),
            );
          }
        },
      ),
    );
  });

  it("and bytes that are cut between characters mean the same in parts", () => {
    const names = ["utf-8", "utf-16le", "utf-16be", "gb18030", "shift_jis", "euc-jp", "big5"];
    // Most bytes are invalid where they stand: only these begin or end a character in some encoding.
    const byte = fc.constantFrom(...[
      0x0a,
      0x30,
      0x36,
      0x61,
      0x81,
      0x8f,
      0x90,
      0xa4,
      0xd6,
      0xd8,
      0xde,
      0xf0,
    ]);
    // A first half of a pair that another one follows, and half of what follows that.
    const broken: [string, number[], number] = ["utf-16be", [0xd8, 10, 0xd8, 10, 10, 10], 5];
    // A character that another one breaks, which goes on behind the cut.
    const begun: [string, number[], number] = ["utf-8", [0xde, 0xf0, 0xa4, 0xde, 0x90], 4];
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.oneof(fc.array(byte), fc.string({ unit: "grapheme" }).map((text) => [...bytesOf(text)])),
        fc.nat(40),
        (encoding, data, at) => {
          const bytes = Uint8Array.from(data);
          const cut = Math.min(at, bytes.length);
          const to = cut - edgeAfter(bytes.subarray(0, cut), { encoding });
          const decoded = (part: Uint8Array) => decoderOf({ encoding }).decode(part);
          const whole = decoded(bytes);
          // What ICU makes of a broken character of an older encoding depends on when it sees that.
          if (!encoding.startsWith("utf-") && whole.includes("\ufffd")) return;
          assert.equal(decoded(bytes.subarray(0, to)) + decoded(bytes.subarray(to)), whole);
        },
      ),
      { numRuns: sized(200, 1_000), examples: [broken, begun] },
    );
  });

  const encoded: [string, number[], string][] = [
    ["gbk", [0x61, 0xd6, 0xd0, 0xce, 0xc4], "a中文"],
    ["shift_jis", [0x93, 0xfa, 0x96, 0x7b], "日本"],
    ["windows-1252", [0x63, 0xe9], "cé"],
    ["utf-16le", [0x61, 0, 0x0a, 0, 0x3d, 0xd8, 0, 0xde, 0x62, 0], "a\n😀b"],
    ["utf-16be", [0, 0x61, 0, 0x0a, 0xd8, 0x3d, 0xde, 0, 0, 0x62], "a\n😀b"],
    ["gb18030", [0x81, 0x30, 0x84, 0x36, 0x0a, 0x61], "¥\na"],
    ["euc-kr", [0xc7, 0xd1, 0x0a], "한\n"],
  ];
  for (const [encoding, data, text] of encoded) {
    it(`in ${encoding}, under any split`, () => {
      const bytes = Uint8Array.from(data);
      assert.equal(textView(bytes, { encoding, last: true }).text, text);
      for (let cut = 0; cut <= bytes.length; cut++) {
        const first = textView(bytes.subarray(0, cut), { encoding });
        const rest = textView(bytes.subarray(first.to), { encoding, from: first.to, last: true });
        assert.equal(first.text + rest.text, text, `cut at ${cut}`);
        const lines = viewed([bytes.subarray(0, cut), bytes.subarray(cut)], { encoding });
        assert.deepEqual(lines, viewed([bytes], { encoding }));
      }
    });
  }

  it("and invalid bytes are replaced in the view", () => {
    assert.equal(textView(Uint8Array.of(0x61, 0xff, 0x62)).text, "a\ufffdb");
    assert.equal(textView(Uint8Array.of(0x61, 0xe4), { last: true }).text, "a\ufffd");
    const cut = textView(Uint8Array.of(0x61, 0xe4));
    assert.deepEqual([cut.text, cut.to, cut.cut.after], ["a", 1, 1]);
  });

  it("whatever the bytes, their chunks and the encoding", () => {
    const encoding = fc.constantFrom("gb18030", "gbk", "big5", "euc-jp", "iso-2022-jp", "euc-kr");
    const byte = fc.oneof(fc.nat(255), fc.constantFrom(0x94, 0x30, 0x42, 0x8f, 0xa2, 0x1b, 0x0a));
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 30 }), cuts, encoding, (data, cuts, encoding) => {
        const bytes = Uint8Array.from(data);
        const newlines = bytes.filter((byte) => byte === 0x0a).length;
        const lines = viewed(chunked(bytes, cuts), { encoding });
        assert.equal(lines.filter((line) => line.end === "newline").length, newlines);
        textView(bytes, { encoding });
      }),
      { numRuns: sized(400, 2_000) },
    );
    const broken = [0x41, 0x94, 0x30, 0x42, 0x43].map((byte) => Uint8Array.of(byte));
    assert.match(viewed(broken, { encoding: "gb18030" })[0]?.text ?? "", /^A\ufffd0?BC$/);
  });

  it("and an unknown encoding is an error that names it", () => {
    assert.throws(() => textView(bytesOf("a"), { encoding: "klingon" }), {
      name: "RangeError",
      message: 'Cannot decode "klingon": no such encoding',
    });
  });
});

it("a limit or an offset of a view that is none is an error that names it", () => {
  for (const name of ["from", "maxColumns"]) {
    for (const value of noLimits) {
      const error = {
        name: "TypeError",
        message: `Cannot view text with ${name} ${shownValue(value)}: ` +
          "it must be a whole number, 0 or more",
      };
      assert.throws(() => textView(bytesOf("a"), { [name]: value }), error);
      assert.throws(() => new TextView({ [name]: value }), error);
    }
  }
  assert.equal(textOf("abc", { maxColumns: Infinity }), "abc");
});

it("an option that a view does not have is an error", () => {
  const message = /^Cannot view text with progres "frames": there is no such option; there are /;
  // @ts-expect-error A caller without types can misspell it.
  assert.throws(() => textView(bytesOf("a"), { progres: "frames" }), {
    name: "TypeError",
    message,
  });
});

describe("a line without end takes bounded memory", () => {
  const limit = 100;
  const rows: [string, string, number][] = [
    ["ASCII", "x", 1],
    ["wide characters", "世", 2],
    ["mixed", "x世", 3],
  ];
  for (const [name, unit, columns] of rows) {
    it(`of ${name}: the columns that were left out are counted`, () => {
      const times = 10_000;
      const [line] = viewed([bytesOf(unit.repeat(times)), bytesOf("\n")], { maxColumns: limit });
      assert.ok(line !== undefined);
      const wide = line.text.split("世").length - 1;
      const shown = line.text.length + wide;
      assert.ok(shown >= limit && shown <= limit + 2);
      assert.equal(shown + line.omittedColumns, columns * times);
    });
  }

  it("of frames: only the last state counts", () => {
    const frame = `\r${"x".repeat(200)}`;
    const [line] = viewed([bytesOf(frame.repeat(1000) + "\rdone\x1b[K\n")], { maxColumns: limit });
    assert.equal(line?.text, "done");
    assert.equal(line?.omittedColumns, 0);
  });

  it("of marks stacked on one letter", () => {
    const [line] = viewed([bytesOf("a" + "\u0301".repeat(100_000) + "\rb")]);
    assert.ok((line?.text.length ?? Infinity) < 100);
  });

  const beyond: [string, string, number][] = [
    ["世a\rbcd", "b", 2],
    ["世", " ", 1],
    ["❤\ufe0f", " ", 1],
    ["\tx\rabcdefghijkl", "a", 11],
  ];
  for (const [input, text, omittedColumns] of beyond) {
    it(`of ${JSON.stringify(input)} in a column: one is kept, whatever reaches beyond`, () => {
      for (const chunks of [[bytesOf(input)], [...bytesOf(input)].map((b) => Uint8Array.of(b))]) {
        const [line] = viewed(chunks, { maxColumns: 1 });
        assert.deepEqual([line?.text, line?.omittedColumns], [text, omittedColumns]);
      }
    });
  }

  it("of tabs", () => {
    const [line] = viewed([bytesOf("\t".repeat(100))], { maxColumns: 80 });
    assert.equal(line?.text, "\t".repeat(10));
    assert.equal(line?.omittedColumns, 720);
  });
});
