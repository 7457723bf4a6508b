import type { TerminalSnapshot } from "./client-terminals.ts";

/** Stands in the output where the client dropped some of it. */
export const MISSING = "[shellflow: output is missing here: the client dropped it]\n";

/** So many characters in a row are no accident. */
const SURE = 32;

/**
 * What each snapshot of a terminal adds to those before it.
 *
 * The protocol gives the text that the client keeps, without offsets, so that what is new is found by
 * comparison. While nothing is dropped, a snapshot begins with the one before. Where the client drops
 * the beginning, the snapshot begins with an end of the one before; where it shows a screen, lines
 * change that were there already, and the changed ones count as new.
 */
export class NewOutput {
  /** The snapshot of which all was taken. */
  #seen = "";
  #truncated = false;
  /** Something is missing before what comes next. */
  #missing = false;
  #endsLine = true;

  /**
   * Take the next snapshot.
   *
   * @param last No other follows: all of it counts.
   * @returns What is new.
   */
  take({ output, truncated }: TerminalSnapshot, last = false): string {
    const text = last ? output : stablePart(output);
    const isFirst = truncated && !this.#truncated;
    if (truncated) this.#truncated = true;
    // What is cut first is the end, or repeats itself, where the beginning is still there.
    const dropsEnd = isFirst && sameBeginning(this.#seen, text);
    const added = this.#newIn(text, truncated && !dropsEnd);
    if (dropsEnd) this.#missing = true;
    return last ? added + this.#note() : added;
  }

  /** The last snapshot cannot be had: what it would add is missing. */
  lose(): string {
    this.#missing = true;
    return this.#note();
  }

  #newIn(text: string, truncated: boolean): string {
    const seen = this.#seen;
    if (seen !== "" && seen.startsWith(text)) return "";
    this.#seen = text;
    if (!truncated && text.startsWith(seen)) return this.#written(text.slice(seen.length));
    const { length, shorter } = overlap(seen, text);
    if (!truncated && length < SURE) return this.#written(changedLines(seen, text), true);
    // A short overlap may be an accident, and of text that repeats itself it is unknown how often.
    if (truncated && (length < SURE || shorter >= SURE)) this.#missing = true;
    return this.#written(text.slice(length));
  }

  #written(added: string, onNewLine = false): string {
    if (added === "") return "";
    const text = (onNewLine && !this.#endsLine ? "\n" : "") + added;
    const noted = this.#note() + text;
    this.#endsLine = text.endsWith("\n");
    return noted;
  }

  #note(): string {
    if (!this.#missing) return "";
    const note = this.#endsLine ? MISSING : `\n${MISSING}`;
    this.#missing = false;
    this.#endsLine = true;
    return note;
  }
}

function sameBeginning(seen: string, text: string): boolean {
  return seen.length >= SURE && (text.startsWith(seen) || seen.startsWith(text));
}

/**
 * The part of a snapshot that stays: not a character of which some bytes are still to come, and of the
 * empty lines below, which a screen has, only the end of the last line with text.
 */
function stablePart(output: string): string {
  const whole = output.replace(/\uFFFD+$/, "");
  const end = whole.trimEnd().length;
  if (end === 0) return "";
  const newline = /^[^\S\n]*\n/.exec(whole.slice(end))?.[0].length;
  return newline === undefined ? whole : whole.slice(0, end + newline);
}

/** What a screen shows from the first line that has changed on. */
function changedLines(seen: string, text: string): string {
  let same = 0;
  while (same < seen.length && seen[same] === text[same]) same++;
  return text.slice(same === 0 ? 0 : text.lastIndexOf("\n", same - 1) + 1);
}

interface Overlap {
  /** Of the longest end of the one that the other begins with. */
  readonly length: number;
  /** Of the next shorter one: where that is long as well, the text repeats itself. */
  readonly shorter: number;
}

/** Find how far a text continues another, in linear time, as Knuth, Morris and Pratt do. */
function overlap(seen: string, text: string): Overlap {
  const most = Math.min(seen.length, text.length);
  const borders = new Int32Array(most);
  const next = (length: number, letter: number) => {
    while (length > 0 && text.charCodeAt(length) !== letter) length = borders[length - 1] ?? 0;
    return text.charCodeAt(length) === letter ? length + 1 : 0;
  };
  for (let i = 1; i < most; i++) borders[i] = next(borders[i - 1] ?? 0, text.charCodeAt(i));
  let length = 0;
  for (let i = seen.length - most; i < seen.length; i++) length = next(length, seen.charCodeAt(i));
  return { length, shorter: borders[length - 1] ?? 0 };
}
