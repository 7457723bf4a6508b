import { type LineEnd, LineRenderer, type RenderOptions } from "./line-renderer.ts";
import { type Decoder, decoderOf, type DecodingOptions, unitBytes } from "./text-decoding.ts";

/** A line of text as somebody sees it, and the bytes it was made of. */
export interface ViewLine {
  readonly text: string;
  /** Offset of its first byte. */
  readonly from: number;
  /** Offset after its last byte, that of its newline or carriage return included. */
  readonly to: number;
  /** Columns beyond the limit, which were counted and not kept. */
  readonly omittedColumns: number;
  /** What ended it: a newline, a carriage return between frames, or the end of what was pushed. */
  readonly end: LineEnd;
}

/** How output becomes text. */
export interface TextViewOptions extends RenderOptions, DecodingOptions {
  /** Offset of the first byte that is pushed. @default {0} */
  readonly from?: number;
}

/**
 * Turns bytes into lines, in any chunks: the lines are those that the whole would give.
 *
 * Memory is bounded by the line limit, whatever a line is made of.
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
  readonly #renderer: LineRenderer;
  readonly #unit: 1 | 2;
  #lines: ViewLine[] = [];
  #lineFrom: number;
  #at: number;
  #chunk: Uint8Array = new Uint8Array(0);
  /** Up to where newlines were found: in the chunk or, where a unit has two bytes, in the text. */
  #scanned = 0;
  #text = "";
  #textFrom: number;
  /** The same for carriage returns, in the chunk and in the text. */
  #returns = { chunk: 0, text: 0 };
  #returnTo = 0;

  constructor(options: TextViewOptions = {}) {
    this.#decoder = decoderOf(options);
    this.#unit = unitBytes(this.#decoder);
    this.#lineFrom = this.#at = this.#textFrom = options.from ?? 0;
    this.#renderer = new LineRenderer({
      line: (text, omittedColumns, end) => this.#line(text, omittedColumns, end),
      returned: (index) => this.#returnTo = this.#return(index),
    }, options);
  }

  /** Offset after the last byte that was pushed. */
  get at(): number {
    return this.#at;
  }

  /** Offset of the line that is not complete yet. */
  get lineFrom(): number {
    return this.#lineFrom;
  }

  /** Take more bytes and give the lines that they complete. */
  push(chunk: Uint8Array): ViewLine[] {
    this.#chunk = chunk;
    this.#feed(this.#decoder.decode(chunk, { stream: true }));
    this.#at += chunk.length;
    return this.#take();
  }

  /** No byte follows: give the last line where it has no newline, and a broken character in it. */
  end(): ViewLine[] {
    this.#feed(this.#decoder.decode());
    this.#renderer.end();
    return this.#take();
  }

  #feed(text: string): void {
    this.#text = text;
    this.#scanned = 0;
    this.#returns = { chunk: 0, text: 0 };
    this.#renderer.feed(text);
    this.#textFrom += text.length * this.#unit;
  }

  #line(text: string, omittedColumns: number, end: LineEnd): void {
    const from = this.#lineFrom;
    const to = end === "newline" ? this.#newline() : end === "frame" ? this.#returnTo : this.#at;
    this.#lines.push({ text, from, to, omittedColumns, end });
    this.#lineFrom = to;
  }

  /** The bytes have as many newlines as the text, so the next one in either is the same. */
  #newline(): number {
    if (this.#unit === 1) {
      this.#scanned = this.#chunk.indexOf(0x0a, this.#scanned) + 1;
      return this.#at + this.#scanned;
    }
    this.#scanned = this.#text.indexOf("\n", this.#scanned) + 1;
    return this.#textFrom + this.#scanned * 2;
  }

  /** Likewise for carriage returns, of which some are within escape sequences. */
  #return(index: number): number {
    if (this.#unit === 2) return this.#textFrom + (index + 1) * 2;
    const seen = this.#returns;
    while (seen.text <= index) {
      seen.text = this.#text.indexOf("\r", seen.text) + 1;
      seen.chunk = this.#chunk.indexOf(0x0d, seen.chunk) + 1;
    }
    return this.#at + seen.chunk;
  }

  #take(): ViewLine[] {
    const lines = this.#lines;
    this.#lines = [];
    return lines;
  }
}
