import { checkLimits } from "../limits.ts";
import { type LineEnd, LineRenderer, type RenderOptions } from "./line-renderer.ts";
import { Places } from "./places.ts";
import { type Decoder, decoderOf, type DecodingOptions, unitBytes } from "../decode/decode.ts";

/** A line of text as somebody sees it, and the bytes it was made of. */
export interface ViewLine {
  readonly text: string;
  /** Offset of its first byte. */
  readonly from: number;
  /** Offset after its last byte, that of its newline or carriage return included. */
  readonly to: number;
  /** Columns beyond the limit, which were counted and not kept. */
  readonly omittedColumns: number;
  /**
   * What ended it: a newline, the end of what was pushed, or, for a `frame`, a carriage return
   * between frames or NEL, the control that goes to the next line and is a newline to no counter.
   */
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
  /** What is looked for in text and chunk alike, by its first character. */
  #places = new Map<string, Places>();
  /** Where the frame ends that is about to be told of. */
  #frameTo = 0;

  /**
   * @throws {TypeError} If a limit or an offset is none.
   * @throws {RangeError} If nobody knows the encoding.
   */
  constructor(options: TextViewOptions = {}) {
    const { from, maxColumns } = options;
    checkLimits("view text", { from, maxColumns });
    this.#decoder = decoderOf(options);
    this.#unit = unitBytes(this.#decoder);
    this.#lineFrom = this.#at = this.#textFrom = options.from ?? 0;
    this.#renderer = new LineRenderer({
      line: (text, omittedColumns, end) => this.#line(text, omittedColumns, end),
      returned: (index) => this.#frameTo = this.#after(index, [0x0d]),
      broken: (index) => this.#broken(index),
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
    this.#places.clear();
    this.#renderer.feed(text);
    this.#textFrom += text.length * this.#unit;
  }

  #line(text: string, omittedColumns: number, end: LineEnd): void {
    const from = this.#lineFrom;
    const to = end === "newline" ? this.#newline() : end === "frame" ? this.#frameTo : this.#at;
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

  /** NEL is ESC E or one character, which only UTF has for sure: other encodings have letters there. */
  #broken(index: number): boolean {
    if (this.#text.charAt(index) === "E") {
      // The ESC may have been the end of the text before.
      const escape = index === 0 ? this.#textStart : this.#after(index - 1, [0x1b]);
      this.#frameTo = escape + this.#unit;
      return true;
    }
    if (this.#unit === 1 && this.#decoder.encoding !== "utf-8") return false;
    this.#frameTo = this.#after(index, [0xc2, 0x85]);
    return true;
  }

  get #textStart(): number {
    return this.#unit === 1 ? this.#at : this.#textFrom;
  }

  /** The offset after a control that stands at an index of the text and begins with no byte of another character. */
  #after(index: number, encoded: readonly number[]): number {
    if (this.#unit === 2) return this.#textFrom + (index + 1) * 2;
    const control = this.#text.charAt(index);
    let places = this.#places.get(control);
    if (places === undefined) {
      const [text, bytes] = [this.#text, this.#chunk];
      // Of a control of two bytes the first may have come in the chunk before.
      const split = encoded.length > 1 && text.startsWith(control) && bytes[0] === encoded[1];
      places = new Places({ text, bytes, split }, control, encoded);
      this.#places.set(control, places);
    }
    return this.#at + places.after(index);
  }

  #take(): ViewLine[] {
    const lines = this.#lines;
    this.#lines = [];
    return lines;
  }
}
