import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { type CreateEmulator, loadEmulator } from "../../src/screen/emulator.ts";
import { Screen } from "../../src/screen/screen.ts";
import type { TerminalSize } from "../../src/platform/terminal/terminals.ts";
import { sized } from "../sized.ts";
import { control, garbage, line } from "./soup.ts";

const createEmulator = await loadEmulator();
const encoder = new TextEncoder();

/** What happens to a terminal, in order. */
type Part = string | Uint8Array | TerminalSize;

const SMALL: TerminalSize = { columns: 10, rows: 3 };

/** The screen of a terminal that is fed everything at once. */
function fedEverything(parts: readonly Part[], size = SMALL) {
  const emulator = createEmulator(size);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  for (const part of parts) {
    if (isSize(part)) emulator.resize(part);
    else emulator.write(decoder.decode(bytesOf(part), { stream: true }));
  }
  return { lines: emulator.lines(), styled: emulator.styled(), cursor: emulator.cursor() };
}

/** The same through a screen that may lag by a few bytes, in chunks of some size; and how much its emulator was spared. */
function fedLazily(parts: readonly Part[], chunkBytes = 7, size = SMALL) {
  let written = 0;
  const counting: CreateEmulator = (size) => {
    const emulator = createEmulator(size);
    return {
      ...emulator,
      write: (text) => {
        written += encoder.encode(text).length;
        emulator.write(text);
      },
    };
  };
  const screen = new Screen({
    size,
    createEmulator: counting,
    answer: () => {},
    mostWaiting: 160,
  });
  for (const part of parts) {
    if (isSize(part)) screen.resize(part);
    else {
      const bytes = bytesOf(part);
      for (let at = 0; at < bytes.length; at += chunkBytes) {
        screen.write(bytes.slice(at, at + chunkBytes));
      }
    }
  }
  const { lines, styled = [], cursor: { row, column }, offset } = screen.snapshot({ styled: true });
  screen.close();
  return { shown: { lines, styled, cursor: { row, column } }, spared: written < offset - 40 };
}

function isSize(part: Part): part is TerminalSize {
  return typeof part !== "string" && "columns" in part;
}

function bytesOf(part: string | Uint8Array): Uint8Array {
  return typeof part === "string" ? encoder.encode(part) : part;
}

/** What is hidden in a terminal shows in what follows. */
const PROBE = "a\x1b8b\x1b[2;2Hc\r\nd\te";

const chunkBytes = fc.integer({ min: 1, max: 40 });
const lines = fc.array(line, { minLength: 8, maxLength: 80 });
const resize = fc.record({
  columns: fc.integer({ min: 2, max: 14 }),
  rows: fc.integer({ min: 1, max: 5 }),
});

function equalsFedEverything(
  parts: fc.Arbitrary<readonly Part[]>,
  runs: number,
): { readonly spared: number; readonly numRuns: number } {
  const numRuns = sized(runs / 5, runs);
  let spared = 0;
  fc.assert(
    fc.property(parts, chunkBytes, (parts, chunkBytes) => {
      const lazy = fedLazily([...parts, PROBE], chunkBytes);
      assert.deepEqual(lazy.shown, fedEverything([...parts, PROBE]));
      if (lazy.spared) spared++;
    }),
    { numRuns, includeErrorInReport: true },
  );
  return { spared, numRuns };
}

describe("a screen that lags", () => {
  it("shows what a terminal shows that was fed everything, after lines with styles", () => {
    const { spared, numRuns } = equalsFedEverything(lines, 150);
    assert.ok(spared > numRuns / 15, `lines were left out in ${spared} of ${numRuns}`);
  });

  it("and with sequences of all kinds between the lines", () => {
    const parts = fc.array(fc.oneof({ weight: 3, arbitrary: lines }, fc.tuple(control)), {
      maxLength: 8,
    });
    const { spared, numRuns } = equalsFedEverything(parts.map((all) => all.flat()), 400);
    assert.ok(spared > numRuns / 20, `lines were left out in ${spared} of ${numRuns}`);
  });

  it("and where a string has a character that ends it, before a resize", () => {
    const parts = [".", "\x1b_", Uint8Array.of(128, 32), { columns: 2, rows: 2 }, PROBE];
    assert.deepEqual(fedLazily(parts, 1).shown, fedEverything(parts));
  });

  it("and with malformed sequences, strings of other kinds, C1 controls and resizes", () => {
    const part = fc.oneof<fc.Arbitrary<readonly Part[]>[]>(
      lines,
      fc.tuple(control),
      fc.tuple(garbage),
      fc.tuple(resize),
      // Half a character before a resize could be shown before it or behind it.
      fc.uint8Array({ maxLength: 20 }).map((bytes) => [bytes.filter((byte) => byte < 0xc2)]),
    );
    // An emulator is made at its first output, with the size of then.
    equalsFedEverything(
      fc.array(part, { maxLength: 10 }).map((all) => [".", ...all.flat()]),
      300,
    );
  });
});

/** Frames of a program that shows all processes again and again. */
function frames(count: number): string {
  const row = (frame: number, i: number) =>
    `\x1b[m\x1b[39;49m ${
      i * 37 + frame
    } root 20 0 S ${frame}.${i} some-command \x1b[1m${frame}\x1b[m\x1b[K\r\n`;
  return Array.from(
    { length: count },
    (_, frame) => `\x1b[H${Array.from({ length: 20 }, (_, i) => row(frame, i)).join("")}\x1b[J`,
  ).join("");
}

describe("a screen at its usual lag", () => {
  const size = { columns: 100, rows: 30 };
  const plain = Array.from({ length: 9_000 }, (_, i) => `${i} ${"text ".repeat(i % 30)}\r\n`).join(
    "",
  );
  const styled = plain.replaceAll("text", "\x1b[32mtext\x1b[39m");
  for (const [name, text] of Object.entries({ plain, styled, frames: frames(300) })) {
    it(`is right after a flood of ${name}`, () => {
      const screen = new Screen({ size, createEmulator, answer: () => {} });
      const bytes = encoder.encode(text);
      for (let at = 0; at < bytes.length; at += 4_096) screen.write(bytes.slice(at, at + 4_096));
      const { lines, styled, cursor: { row, column } } = screen.snapshot({ styled: true });
      assert.deepEqual({ lines, styled, cursor: { row, column } }, fedEverything([text], size));
    });
  }
});

function screenOf(text: string, size: TerminalSize = { columns: 20, rows: 4 }): Screen {
  const screen = new Screen({ size, createEmulator, answer: () => {} });
  screen.write(encoder.encode(text));
  return screen;
}

describe("a snapshot", () => {
  it("has text, cursor, title and which screen it is", () => {
    const screen = screenOf(
      "\x1b]0;vi\x07$ vi\r\n\x1b[?1049h\x1b[?25l\x1b[2;3H\u4e16\u754c \x1b[1mbold\x1b[m  ",
    );
    assert.deepEqual(screen.snapshot(), {
      offset: 53,
      size: { columns: 20, rows: 4 },
      lines: ["", "  \u4e16\u754c bold", "", ""],
      cursor: { row: 1, column: 13, visible: false },
      title: "vi",
      reported: {},
      alternate: true,
    });
    screen.write(encoder.encode("\x1b[?1049l\x1b[?25h"));
    const { lines, cursor, alternate } = screen.snapshot();
    assert.deepEqual([lines[0], cursor, alternate], [
      "$ vi",
      { row: 1, column: 0, visible: true },
      false,
    ]);
  });

  it("has styles where they are asked for", () => {
    const screen = screenOf("a\x1b[1;31mb\x1b[0;48;2;1;2;3;4mc\x1b[m", { columns: 5, rows: 1 });
    assert.deepEqual(screen.snapshot({ styled: true }).styled, [[
      { text: "a", style: {} },
      { text: "b", style: { foreground: 1, bold: true } },
      { text: "c", style: { background: "#010203", underline: true } },
      { text: "  ", style: {} },
    ]]);
  });

  it("is refused with a clear error where there is no emulator, or it has failed", () => {
    const size = { columns: 20, rows: 4 };
    const none = new Screen({ size, createEmulator: undefined, answer: () => {} });
    none.write(encoder.encode("text"));
    assert.throws(() => none.snapshot(), {
      message: "Cannot show the screen: there is no emulator",
    });
    const failing = new Screen({
      size,
      answer: () => {},
      createEmulator: (size) => ({
        ...createEmulator(size),
        write: () => {
          throw new TypeError("x of undefined");
        },
      }),
    });
    failing.write(encoder.encode("\x1b[6n"));
    assert.throws(() => failing.snapshot(), {
      message: "Cannot show the screen: the emulator failed on some output",
    });
  });
});

describe("the questions of a program", () => {
  /** Each question, and what is answered on a screen of 20 columns and 4 rows after one line of text. */
  const QUESTIONS: Readonly<Record<string, string>> = {
    "\x1b[c": "\x1b[?1;2c",
    "\x1b[0c": "\x1b[?1;2c",
    "\x1b[>c": "\x1b[>0;10;1c",
    "\x1b[5n": "\x1b[0n",
    "\x1b[6n": "\x1b[2;3R",
    "\x1b[?6n": "\x1b[?2;3R",
    "\x1b]10;?\x07": "\x1b]10;rgb:ffff/ffff/ffff\x07",
    "\x1b]11;?\x1b\\": "\x1b]11;rgb:0000/0000/0000\x1b\\",
    "\x1b[18t": "\x1b[8;4;20t",
    "\x1b[?u": "\x1b[?0u",
  };

  it("are answered once, split at any byte", () => {
    for (const [question, expected] of Object.entries(QUESTIONS)) {
      const bytes = encoder.encode(`line\r\nab${question}`);
      for (let at = 0; at <= bytes.length; at++) {
        const answers: string[] = [];
        const screen = new Screen({
          size: { columns: 20, rows: 4 },
          createEmulator,
          answer: (text) => answers.push(text),
        });
        screen.write(bytes.slice(0, at));
        screen.write(bytes.slice(at));
        screen.snapshot();
        assert.deepEqual(answers, [expected], JSON.stringify(question));
      }
    }
  });

  it("are answered in order and with the cursor of their place, also while the screen lags", () => {
    const answers: string[] = [];
    const screen = new Screen({
      size: { columns: 20, rows: 4 },
      createEmulator,
      answer: (text) => answers.push(text),
    });
    const flood = "line\r\n".repeat(30_000);
    screen.write(encoder.encode(`${flood}ab\x1b[6nc\x1b[6n\x1b[c\x1b[1;1H\x1b[6n`));
    assert.deepEqual(answers, ["\x1b[4;3R", "\x1b[4;4R", "\x1b[?1;2c", "\x1b[1;1R"]);
  });

  it("inside of strings are no questions", () => {
    const answers: string[] = [];
    const screen = new Screen({
      size: { columns: 20, rows: 4 },
      createEmulator,
      answer: (text) => answers.push(text),
    });
    screen.write(encoder.encode("\x1bPtmux;[c[6n\x1b\\\x1b]0;[c\x07"));
    assert.deepEqual(answers, []);
  });
});

describe("the modes of a terminal", () => {
  it("follow what the program switches", () => {
    const screen = screenOf("\x1b[?1;2004h\x1b[?1049h\x1b[>1u");
    const { applicationCursor, bracketedPaste, alternate, kittyKeyboard } = screen.modes;
    assert.deepEqual([applicationCursor, bracketedPaste, alternate, kittyKeyboard], [
      true,
      true,
      true,
      1,
    ]);
    screen.write(encoder.encode("\x1b[?1049l"));
    assert.equal(screen.modes.kittyKeyboard, 0, "each screen has its own");
    screen.write(encoder.encode("\x1b[>31u\x1b[=8;2u"));
    assert.equal(screen.modes.kittyKeyboard, 9, "what is not supported is not claimed");
    screen.write(encoder.encode("\x1b[<u\x1b[<5u"));
    assert.equal(screen.modes.kittyKeyboard, 0);
    screen.write(encoder.encode("\x1bc"));
    assert.equal(screen.modes.applicationCursor, false);
  });
});
