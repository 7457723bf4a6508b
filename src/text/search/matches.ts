import { Deque } from "../../stream/deque.ts";
import { clipAround } from "../clip.ts";
import type { ViewLine } from "../view/text-view.ts";
import type { Finder } from "./expression.ts";

/** A line that matches. */
export interface Match {
  /** Its number, counted from 1; null where lines before it are lost or were not counted. */
  readonly line: number | null;
  /** Offset of its first byte. */
  readonly offset: number;
  /** The line, or as much of it around the match as may be shown. */
  readonly text: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** How matches are kept. */
export interface MatchesOptions {
  readonly before: number;
  readonly after: number;
  readonly maxMatches: number;
  readonly maxLineChars: number;
  /** UTF-16 code units of all that is kept. */
  readonly maxChars: number;
  /** The number of the first line; null when nobody knows. */
  readonly firstLine: number | null;
}

interface Found extends Omit<Match, "line"> {
  /** Newlines between the stretch's beginning and the line, and which stretch it is. */
  readonly index: number;
  readonly stretch: number;
  readonly after: string[];
}

/** Collects matching lines with the lines around them. */
export class Matches {
  readonly #find: Finder;
  readonly #options: MatchesOptions;
  readonly #found: Found[] = [];
  readonly #before = new Deque<string>();
  /** Code units in `#before`. */
  #beforeChars = 0;
  #chars = 0;
  /** Matches that still want lines after them. */
  #open: Found[] = [];
  /** Newlines of each stretch between gaps. */
  readonly #stretches: number[] = [0];
  /** Lines with an end that was not looked at. */
  clampedLines = 0;

  constructor(find: Finder, options: MatchesOptions) {
    this.#find = find;
    this.#options = options;
  }

  /** Whether no more may be kept, although more might be wanted. */
  get spent(): boolean {
    return this.#chars >= this.#options.maxChars;
  }

  /** Whether there are as many as wanted, with all that is shown after them, or as may be kept. */
  get full(): boolean {
    return this.spent || this.#found.length >= this.#options.maxMatches && this.#open.length === 0;
  }

  /** Look at the next line. */
  look(line: ViewLine): void {
    const { before, after, maxMatches, maxLineChars } = this.#options;
    const { text } = line;
    if (line.omittedColumns > 0) this.clampedLines++;
    const shown = before + this.#open.length > 0 ? clipAround(text, maxLineChars) : "";
    for (const open of this.#open) if (!this.spent) open.after.push(this.#kept(shown));
    this.#open = this.#open.filter((open) => open.after.length < after);
    const match = this.#found.length < maxMatches ? this.#find(text) : undefined;
    if (match !== undefined) {
      const found: Found = {
        index: this.#stretches.at(-1) ?? 0,
        stretch: this.#stretches.length - 1,
        offset: line.from,
        text: this.#kept(clipAround(text, maxLineChars, match)),
        before: this.#context(),
        after: [],
      };
      this.#found.push(found);
      if (after > 0) this.#open.push(found);
    }
    if (before > 0) this.#remember(shown);
    if (line.end === "newline") this.#stretches.push((this.#stretches.pop() ?? 0) + 1);
  }

  /** Lines are lost here: none beyond are context of any before. */
  gap(): void {
    this.#open = [];
    while (this.#before.size > 0) this.#before.shift();
    this.#beforeChars = 0;
    this.#stretches.push(0);
  }

  /**
   * The matches so far.
   *
   * @param whole The newlines of the whole, when it was looked at as a whole and somebody counted
   * them: then lines after the last gap have numbers as well, counted from the end.
   */
  found(whole: { newlines: number | undefined }): Match[] {
    const last = this.#stretches.length - 1;
    return this.#found.map(({ index, stretch, offset, text, before, after }) => {
      let line: number | null = null;
      if (stretch === 0 && this.#options.firstLine !== null) line = this.#options.firstLine + index;
      else if (stretch === last && whole.newlines !== undefined) {
        line = whole.newlines - (this.#stretches[last] ?? 0) + index + 1;
      }
      return { line, offset, text, before, after };
    });
  }

  /** Keep a line for those after it, and no more of them than could ever be shown. */
  #remember(line: string): void {
    const { before, maxChars } = this.#options;
    this.#before.push(line);
    this.#beforeChars += line.length + 1;
    while (this.#before.size > before || this.#beforeChars > maxChars) {
      this.#beforeChars -= (this.#before.shift() ?? "").length + 1;
    }
  }

  /** The lines before a match, the nearest of them when not all may be kept. */
  #context(): string[] {
    const lines: string[] = [];
    let excess = this.#chars + this.#beforeChars - this.#options.maxChars;
    for (let i = this.#before.size; i > 0; i--) {
      const line = this.#before.shift() ?? "";
      if (excess <= 0) lines.push(this.#kept(line));
      else excess -= line.length + 1;
      this.#before.push(line);
    }
    return lines;
  }

  #kept(line: string): string {
    this.#chars += line.length + 1;
    return line;
  }
}
