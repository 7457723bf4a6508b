import type { ControlSequence } from "../platform/terminal/control-sequences.ts";

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

/** Whether a control sequence changes only the style of what follows (SGR), or its own line (EL). */
export function isStyle({ final, bytes, from, to }: ControlSequence): boolean {
  return (final === "m" || final === "K") &&
    (from === to || (isParameter(bytes[from]) && isParameter(bytes[to - 1])));
}

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
  { rows, before }: { readonly rows: number; readonly before: Skip | undefined },
): SkippedLines | undefined {
  const bytes = lineWithFeedsBehind(text, rows);
  if (bytes === undefined) return undefined;
  const skipped = text.subarray(0, bytes);
  if (before === undefined && !hasFeeds(skipped, rows)) return undefined;
  const styles = stylesBehind(skipped, before?.styles ?? []);
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
  const newestFirst = new Map<number | string, string>();
  for (let at = text.length - 1; at >= 0; at--) {
    if (text[at] !== ESC || text[at + 1] !== BRACKET) continue;
    const { key, end } = parametersFrom(text, at + 2);
    // The others erase in their line, or were cancelled.
    if (text[end] !== LETTER_M || newestFirst.has(key)) continue;
    const style = String.fromCharCode(...text.subarray(at, end + 1));
    newestFirst.set(key, style);
    if (RESET.test(style)) return [...newestFirst.values()].reverse();
    if (newestFirst.size > MOST_STYLES) return undefined;
  }
  const styles = new Set([...newestFirst.values(), ...before.toReversed()]);
  return styles.size > MOST_STYLES ? undefined : [...styles].reverse();
}

/** SGR whose first parameter is 0, or absent. */
const RESET = /^..0*[;m]/s;
/** How many parameter bytes, which are of twelve kinds, a number holds exactly. */
const MOST_IN_NUMBER = 13;

/** Where the parameters end, and what is the same for the same ones only: a number is quicker made than a text. */
function parametersFrom(text: Uint8Array, from: number): { key: number | string; end: number } {
  let end = from;
  let key = 0;
  for (let byte = text[end]; isParameter(byte); byte = text[++end]) key = key * 16 + byte - 0x2f;
  if (end - from <= MOST_IN_NUMBER) return { key, end };
  return { key: String.fromCharCode(...text.subarray(from, end)), end };
}

/** Digits, colon and semicolon. */
function isParameter(byte: number | undefined): byte is number {
  return byte !== undefined && byte >= 0x30 && byte <= 0x3b;
}
