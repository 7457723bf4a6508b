import { type ByteRange, sizeOf } from "../../stream/byte-range.ts";
import { binaryStretch } from "../binary.ts";
import { clipAround } from "../clip.ts";
import { decoderOf, unitBytes } from "../decode/decode.ts";
import { blocks } from "../source/blocks.ts";
import type { ByteSource } from "../source/source.ts";
import { TextView, type TextViewOptions, type ViewLine } from "../view/text-view.ts";
import { errorSign } from "./error-lines.ts";

/** A line that looks like an error, kept out of what is not shown. */
export interface KeptError {
  /** Its number, counted from 1; null where the lines before it were not all counted. */
  readonly line: number | null;
  /** Offset of its first byte. */
  readonly offset: number;
  /** The line, or as much of it as is shown around what looks like an error. */
  readonly text: string;
}

/** What is known of a range that is not shown. */
export interface Scan {
  /** How many lines end in it; null where a part was lost or not searched. */
  readonly lines: number | null;
  /** How many were counted at least. */
  readonly minLines: number;
  readonly lostBytes: number;
  readonly unsearchedBytes: number;
  /** How many lines looked like errors. */
  readonly errorCount: number;
  /** The first and the last of them, each text once. */
  readonly errors: readonly KeptError[];
}

/** How to scan. */
export interface ScanOptions extends ByteRange {
  /** The number of the first line. */
  readonly firstLine: number;
  readonly maxScanBytes: number;
  readonly maxErrors: number;
  /** UTF-16 code units shown of a line, around the sign of the error. */
  readonly maxLineChars: number;
  readonly view: Pick<TextViewOptions, "encoding" | "progress">;
}

/** Count the lines of a range and keep those that look like errors. */
export async function scan(source: ByteSource, options: ScanOptions): Promise<Scan> {
  const { from, to, maxScanBytes } = options;
  const scanner = new Scanner(source, options);
  if (to - from <= maxScanBytes) await scanner.read({ from, to });
  else if (maxScanBytes > 0) {
    // The first errors are often the cause and the last ones the reason why it ended.
    const half = Math.floor(maxScanBytes / 2);
    await scanner.read({ from, to: from + half, cut: "after" });
    await scanner.read({ from: to - half, to, cut: "before" });
  }
  return scanner.result;
}

/** However many errors are wanted, each is compared with those before. */
const MOST_ERRORS = 200;

interface Part extends ByteRange {
  /** The side on which the part may end inside a line, which is left out then. */
  readonly cut?: "before" | "after";
}

class Scanner {
  readonly #source: ByteSource;
  readonly #options: ScanOptions;
  readonly #errors: KeptError[] = [];
  #errorCount = 0;
  /** The number of the next line; null where lines before it were not counted. */
  #line: number | null;
  /** What is no text in the block that is read. */
  #binary: ByteRange | undefined;
  #lines = 0;
  #searchedBytes = 0;
  #lostBytes = 0;

  constructor(source: ByteSource, options: ScanOptions) {
    this.#source = source;
    this.#options = options;
    this.#line = options.firstLine;
  }

  get result(): Scan {
    const unsearchedBytes = sizeOf([this.#options]) - this.#searchedBytes;
    return {
      lines: unsearchedBytes === 0 && this.#lostBytes === 0 ? this.#lines : null,
      minLines: this.#lines,
      lostBytes: this.#lostBytes,
      unsearchedBytes,
      errorCount: this.#errorCount,
      errors: this.#errors,
    };
  }

  async read({ from, to, cut }: Part): Promise<void> {
    let skips = cut === "before";
    if (skips) this.#line = null;
    let view = this.#view(from);
    const ended = () => {
      judge(view.end());
      // What shows nothing is no line.
      this.#searchedBytes += view.at - view.lineFrom;
    };
    const judge = (lines: readonly ViewLine[]): void => {
      for (const line of lines) {
        if (!skips) this.#judge(line);
        skips = false;
      }
    };
    for await (const block of blocks(this.#source, { from, to })) {
      if (block.bytes !== undefined) {
        this.#binary = this.#binaryIn(block.bytes, block.from);
        judge(view.push(block.bytes));
        continue;
      }
      ended();
      skips = false;
      this.#lostBytes += sizeOf([block]);
      this.#searchedBytes += sizeOf([block]);
      this.#line = null;
      view = this.#view(block.to);
    }
    if (cut !== "after") ended();
  }

  /** Keep the first and the last errors, each text once. */
  #keep(error: KeptError): void {
    this.#errorCount++;
    if (this.#errors.some(({ text }) => text === error.text)) return;
    this.#errors.push(error);
    const most = Math.min(this.#options.maxErrors, MOST_ERRORS);
    if (this.#errors.length > most) this.#errors.splice(Math.ceil(most / 2), 1);
  }

  #binaryIn(bytes: Uint8Array, from: number): ByteRange | undefined {
    // Two-byte encodings are full of NULs; where one is named, the output is text.
    if (unitBytes(decoderOf(this.#options.view)) === 2) return undefined;
    const stretch = binaryStretch(bytes);
    return stretch && { from: from + stretch.from, to: from + stretch.to };
  }

  #view(from: number): TextView {
    return new TextView({ ...this.#options.view, from });
  }

  #judge(line: ViewLine): void {
    const { text, from, to, end } = line;
    this.#searchedBytes += to - from;
    // A program that is printed holds the words of its errors, and did not write them.
    const isText = this.#binary === undefined || to <= this.#binary.from || from >= this.#binary.to;
    const sign = this.#options.maxErrors > 0 && isText ? errorSign(text) : undefined;
    if (sign !== undefined) {
      const shown = clipAround(text, this.#options.maxLineChars, sign);
      this.#keep({ line: this.#line, offset: from, text: shown });
    }
    if (end !== "newline" && to < this.#source.total) return;
    this.#lines++;
    if (this.#line !== null) this.#line++;
  }
}
