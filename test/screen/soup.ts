import fc from "fast-check";

const sequence = (...all: readonly string[]) => fc.constantFrom(...all);
const number = fc.integer({ min: 0, max: 12 });

/** A style, with or without a reset. */
export const style: fc.Arbitrary<string> = fc.oneof(
  sequence(
    "\x1b[m",
    "\x1b[0m",
    "\x1b[0;1m",
    "\x1b[1m",
    "\x1b[22m",
    "\x1b[4:3m",
    "\x1b[7m",
    "\x1b[27m",
  ),
  sequence("\x1b[31m", "\x1b[39m", "\x1b[44m", "\x1b[49m", "\x1b[38;5;99m", "\x1b[48;2;1;2;3m"),
  sequence("\x1b[K", "\x1b[1K", "\x1b[2K"),
);

/** A line of text, which may wrap, with styles. */
export const line: fc.Arbitrary<string> = fc.tuple(
  fc.array(
    fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom("é", "世界", "e\u0301", "😀", "\t"),
      style,
    ),
    {
      maxLength: 4,
    },
  ),
  fc.constantFrom("\r\n", "\r\n", "\r\n", "\n", "\r", "\b\b", "\f"),
).map(([parts, end]) => parts.join("") + end);

/** Sequences that move, erase, scroll, switch and reset. */
export const control: fc.Arbitrary<string> = fc.oneof(
  fc.tuple(sequence(..."ABCDEFGHIJKLMPSTXZ`@abdefg"), number, number)
    .map(([final, first, second]) => `\x1b[${first};${second}${final}`),
  fc.tuple(number, number).map(([top, bottom]) => `\x1b[${top};${bottom}r`),
  fc.tuple(
    sequence("1", "6", "7", "25", "45", "47", "1047", "1048", "1049", "2004"),
    sequence("h", "l"),
  )
    .map(([mode, final]) => `\x1b[?${mode}${final}`),
  sequence("\x1b[4h", "\x1b[4l", "\x1b[20h", "\x1b[20l", "\x1b[!p", "\x1b[s", "\x1b[u", "\x1b[3J"),
  sequence("\x1b7", "\x1b8", "\x1bD", "\x1bE", "\x1bH", "\x1bM", "\x1b=", "\x1b>", "\x1b#8"),
  sequence("\x1b(0", "\x1b(B", "\x1b)0", "\x0e", "\x0f", "\x1bn", "\x1bo"),
  sequence("\x1b]0;title\x07", "\x1b]8;;http://x\x1b\\", "\x1b]8;;\x1b\\", "\x1b]2;t\x9c"),
);

/** What is cut short, malformed, cancelled, or hides in strings and C1 controls. */
export const garbage: fc.Arbitrary<string> = fc.oneof(
  control.map((whole) => whole.slice(0, -1)),
  control.map((whole) => whole.slice(0, 2) + "\n" + whole.slice(2)),
  control.map((whole) => whole.slice(0, 3) + "\x18"),
  control.map((whole) => `\x1bPq${whole}`),
  control.map((whole) => whole.replace("\x1b[", "\u009b")),
  sequence(
    "\x1bP1$q",
    "\x1b_",
    "\x1b^",
    "\x1bX",
    "\u0090",
    "\u009d",
    "\x1b\\",
    "\u009c",
    "\x1a",
    "\x1b[?1é",
  ),
  fc.string({ unit: "binary", maxLength: 6 }),
);
