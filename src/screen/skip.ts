/** What was left out, as far as it matters to what follows. */
export interface Skip {
  /** The styles that are in force behind it, oldest first. */
  readonly styles: readonly string[];
}

/** The lines that can be left out of a text. */
export interface SkippedLines extends Skip {
  /** How many bytes they have; text begins behind them at the left edge. */
  readonly bytes: number;
}

const ESC = 0x1b;
const CR = 0x0d;
const LF = 0x0a;
const BRACKET = 0x5b;
const LETTER_M = 0x6d;
/** More different styles without a reset are no longer left out. */
const MOST_STYLES = 256;

/**
 * Find the lines that a terminal need not be shown, as they have left the screen by the end of a text.
 *
 * The text has no sequences but styles; the screen is the normal one, without margins, history and
 * reverse wrap. Then a line feed on the last row scrolls all rows up, and any other moves the cursor
 * down; a screen's height of line feeds puts the cursor on the last row wherever it was, and another
 * height of them removes every row that was begun before. So of lines that are followed by that many
 * only two things are left: the cursor is on the last row, at the left edge after CR LF, and styles
 * are in force. Modes, tab stops, character sets, links and saved cursor are what they were.
 *
 * @param text Begins at any column, or behind `before`, in which case the cursor is on the last row.
 */
export function skipLines(
  text: Uint8Array,
  { rows, styled, before }: {
    readonly rows: number;
    /** Whether there may be styles in it. */
    readonly styled: boolean;
    readonly before: Skip | undefined;
  },
): SkippedLines | undefined {
  const bytes = lineWithFeedsBehind(text, rows);
  if (bytes === undefined) return undefined;
  const skipped = text.subarray(0, bytes);
  if (before === undefined && !hasFeeds(skipped, rows)) return undefined;
  const earlier = before?.styles ?? [];
  const styles = styled ? stylesBehind(skipped, earlier) : earlier;
  return styles && { bytes, styles };
}

/** Where the last line begins, after CR LF, that has so many line feeds behind its begin. */
function lineWithFeedsBehind(text: Uint8Array, count: number): number | undefined {
  let feeds = 0;
  for (let at = text.lastIndexOf(LF); at > 0; at = text.lastIndexOf(LF, at - 1)) {
    if (feeds >= count && text[at - 1] === CR) return at + 1;
    feeds++;
  }
  return undefined;
}

function hasFeeds(text: Uint8Array, count: number): boolean {
  let at = -1;
  for (let feeds = 0; feeds < count; feeds++) {
    at = text.indexOf(LF, at + 1);
    if (at < 0) return false;
  }
  return true;
}

/**
 * The styles in force behind a text. Each sets some attributes to fixed values, so of equal ones the last
 * is enough, and none before a reset matters.
 */
function stylesBehind(text: Uint8Array, before: readonly string[]): readonly string[] | undefined {
  const newestFirst = new Set<string>();
  const seen = new Uint8Array(SHORT_STYLES);
  for (let at = text.length - 1; at >= 0; at--) {
    if (text[at] !== ESC || text[at + 1] !== BRACKET) continue;
    let end = at + 2;
    let number = 0;
    for (let byte = text[end]; isParameter(byte); byte = text[++end]) {
      number = Math.min(number * 16 + byte - 0x2f, SHORT_STYLES);
    }
    // The others erase in their line, or were cancelled.
    if (text[end] !== LETTER_M || seen[number] === 1) continue;
    if (number < SHORT_STYLES) seen[number] = 1;
    const style = String.fromCharCode(...text.subarray(at, end + 1));
    newestFirst.add(style);
    if (RESET.test(style)) return [...newestFirst].reverse();
    if (newestFirst.size > MOST_STYLES) return undefined;
  }
  for (const style of before.toReversed()) newestFirst.add(style);
  return newestFirst.size > MOST_STYLES ? undefined : [...newestFirst].reverse();
}

/** SGR whose first parameter is 0, or absent. */
const RESET = /^..0*[;m]/s;
/** Styles of up to three parameter bytes, which are of twelve kinds, have numbers below this one. */
const SHORT_STYLES = 4_096;

/** Digits, colon and semicolon. */
function isParameter(byte: number | undefined): byte is number {
  return byte !== undefined && byte >= 0x30 && byte <= 0x3b;
}
