import { type Decoder, decoderOf, type DecodingOptions, unitBytes } from "../decode/decode.ts";
import { checkLimits } from "../../value/check-limits.ts";
import { clean, openSequence, shortened } from "./escapes.ts";
import { Row } from "./row.ts";

/** How output is shown. */
export interface RenderOptions {
  /**
   * `collapse`: of a line that a carriage return rewrites, the last state remains.
   * `frames`: the states are shown below each other, as a text of several lines.
   *
   * @default {"collapse"}
   */
  readonly progress?: "collapse" | "frames";
  /** Columns kept of a line; the others are counted. @default {16384} */
  readonly maxColumns?: number;
}

/** A line of text, and the bytes that it was made of. */
export interface ViewLine {
  readonly text: string;
  /** Offset of its first byte. */
  readonly from: number;
  /** Offset after its last byte, that of its newline included. */
  readonly to: number;
  /** Columns beyond the limit, which were counted and not kept. */
  readonly omittedColumns: number;
  /** Whether a newline ended it, or the end of the bytes. */
  readonly end: "newline" | "end";
}

/** How output becomes text. */
export interface TextViewOptions extends RenderOptions, DecodingOptions {
  /** Offset of the first byte that is pushed. @default {0} */
  readonly from?: number;
}

/** What moves the cursor, in cleaned text. */
// deno-lint-ignore no-control-regex
const MOVES = /[\x00-\x02\x08\r]/;
const ASCII = /^[\x20-\x7e]*$/;

/**
 * Turns bytes into lines, in any chunks: the lines are those that the whole would give.
 *
 * A line is shown as a terminal would show it that is as wide as the line: carriage return, backspace
 * and erasing act, all other control sequences are removed. Memory is bounded by the limit of columns.
 *
 * @example A progress bar
 * ```ts
 * import { TextView } from "shellflow";
 *
 * const view = new TextView();
 * const lines = view.push(new TextEncoder().encode(" 10%\r100%\ndone\n"));
 * const texts = lines.map((line) => line.text);
 * if (texts.join() !== "100%,done") throw new Error(`unexpected: ${texts}`);
 * ```
 */
export class TextView {
  readonly #decoder: Decoder;
  readonly #unit: 1 | 2;
  readonly #maxColumns: number;
  readonly #row: Row;
  #lineFrom: number;
  #at: number;
  /** Offset after what was decoded, where a unit has two bytes. */
  #textAt: number;
  /** The beginning of a sequence that the next chunk continues. */
  #open = "";
  /** The line so far, unless it is in the row. */
  #plain = "";
  #inRow = false;

  /**
   * @throws {TypeError} If a limit or an offset is none.
   * @throws {RangeError} If there is no such encoding.
   */
  constructor(options: TextViewOptions = {}) {
    const { from = 0, maxColumns = 16_384, progress } = options;
    checkLimits("view text", { from, maxColumns });
    this.#decoder = decoderOf(options);
    this.#unit = unitBytes(this.#decoder);
    this.#maxColumns = Math.max(1, maxColumns);
    this.#row = new Row({ maxColumns: this.#maxColumns, frames: progress === "frames" });
    this.#lineFrom = this.#at = this.#textAt = from;
  }

  /** Offset after the last byte that was pushed. */
  get at(): number {
    return this.#at;
  }

  /** Offset of the line that is not complete yet. */
  get lineFrom(): number {
    return this.#lineFrom;
  }

  /** Take more bytes; answers the lines that they complete. */
  push(chunk: Uint8Array): ViewLine[] {
    const lines = this.#completed(this.#decoder.decode(chunk, { stream: true }), chunk);
    this.#at += chunk.length;
    return lines;
  }

  /** No byte follows: answers the last line where it has no newline, with a broken character in it. */
  end(): ViewLine[] {
    const lines = this.#completed(this.#decoder.decode(), new Uint8Array(0));
    if (this.#shown !== "") lines.push(this.#line("end", this.#at));
    this.#reset();
    return lines;
  }

  get #shown(): string {
    return this.#inRow ? this.#row.text : this.#plain;
  }

  #completed(text: string, chunk: Uint8Array): ViewLine[] {
    const cleaned = this.#cleaned(text);
    const still = !MOVES.test(cleaned);
    const rows = cleaned.split("\n");
    const last = rows.pop() ?? "";
    let scanned = 0;
    const lines = rows.map((row) => {
      this.#write(row, still);
      // Bytes and text have the same number of newlines.
      if (this.#unit === 1) {
        scanned = chunk.indexOf(0x0a, scanned) + 1;
        return this.#line("newline", this.#at + scanned);
      }
      scanned = text.indexOf("\n", scanned) + 1;
      return this.#line("newline", this.#textAt + scanned * 2);
    });
    this.#write(last, still);
    this.#textAt += text.length * this.#unit;
    return lines;
  }

  /** Text without sequences; one that is cut at its end waits for the rest. */
  #cleaned(text: string): string {
    const all = this.#open + text;
    const to = all.length - openSequence(all);
    this.#open = to === all.length ? "" : shortened(all.slice(to));
    return clean(all.slice(0, to));
  }

  /** @param still Whether nothing in the text moves the cursor. */
  #write(text: string, still: boolean): void {
    if (!this.#inRow) {
      const plain = this.#plain + text;
      if (still && this.#fits(plain)) {
        this.#plain = plain;
        return;
      }
      this.#inRow = true;
      this.#row.write(this.#plain);
    }
    this.#row.write(text);
  }

  /** Whether a line is surely not longer than the limit; a code unit takes at most the columns of a tab. */
  #fits(plain: string): boolean {
    if (plain.length * 8 <= this.#maxColumns) return true;
    return plain.length <= this.#maxColumns && ASCII.test(plain);
  }

  #line(end: ViewLine["end"], to: number): ViewLine {
    const omittedColumns = this.#inRow ? this.#row.omittedColumns : 0;
    const line = { text: this.#shown, from: this.#lineFrom, to, omittedColumns, end };
    this.#lineFrom = to;
    this.#reset();
    return line;
  }

  #reset(): void {
    this.#plain = "";
    if (!this.#inRow) return;
    this.#inRow = false;
    this.#row.reset();
  }
}
