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
  /** The number of the first line; null when it is not known. */
  readonly firstLine: number | null;
}

/** Collects matching lines with the lines around them. */
export class Matches {
  readonly #find: Finder;
  readonly #options: MatchesOptions;
  readonly #found: (Match & { readonly after: string[] })[] = [];
  /** The lines before the next one, as many as are shown. */
  #before: string[] = [];
  #chars = 0;
  /** The `after` of matches that lack lines. */
  #open: string[][] = [];
  #line: number | null;
  /** Lines with an end that was not searched. */
  clampedLines = 0;

  constructor(find: Finder, options: MatchesOptions) {
    this.#find = find;
    this.#options = options;
    this.#line = options.firstLine;
  }

  /** The matches so far. */
  get found(): readonly Match[] {
    return this.#found;
  }

  /** Whether no more may be kept, although there may be more. */
  get spent(): boolean {
    return this.#chars >= this.#options.maxChars;
  }

  /** Whether there are as many as wanted, with all that is shown after them, or as may be kept. */
  get full(): boolean {
    return this.spent || this.#found.length >= this.#options.maxMatches && this.#open.length === 0;
  }

  /** Look at the next line. */
  look({ text, from, omittedColumns, end }: ViewLine): void {
    const { before, after, maxMatches, maxLineChars } = this.#options;
    if (omittedColumns > 0) this.clampedLines++;
    const shown = before + this.#open.length > 0 ? clipAround(text, maxLineChars) : "";
    for (const open of this.#open) if (!this.spent) open.push(this.#kept(shown));
    this.#open = this.#open.filter((open) => open.length < after);
    const match = this.#found.length < maxMatches ? this.#find(text) : undefined;
    if (match !== undefined) {
      const found = {
        line: this.#line,
        offset: from,
        text: this.#kept(clipAround(text, maxLineChars, match)),
        before: this.#before.map((line) => this.#kept(line)),
        after: [],
      };
      this.#found.push(found);
      if (after > 0) this.#open.push(found.after);
    }
    if (before > 0) {
      this.#before.push(shown);
      if (this.#before.length > before) this.#before.shift();
    }
    if (end === "newline" && this.#line !== null) this.#line++;
  }

  /** Lines are lost here: none beyond are context of any before. */
  gap(): void {
    this.#line = null;
    this.#open = [];
    this.#before = [];
  }

  #kept(line: string): string {
    this.#chars += line.length + 1;
    return line;
  }
}
