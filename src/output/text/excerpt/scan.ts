import { clipAround } from "../clip.ts";
import { blocks } from "../blocks.ts";
import { joined } from "../joined.ts";
import { Newlines } from "../newlines.ts";
import type { ByteRange, ByteSource } from "../source.ts";
import type { RenderOptions } from "../view/line-renderer.ts";
import { decoderOf, type DecodingOptions } from "../view/text-decoding.ts";
import { TextView } from "../view/text-view.ts";
import { errorSign, mayHoldError } from "./error-lines.ts";

/** A line of the range that looks like an error. */
export interface FoundError {
  /** The line, or as much of it around the sign of the error as may be shown. */
  readonly text: string;
  /** Offset of its first byte. */
  readonly offset: number;
  /** Newlines between the beginning of the scan and the line. */
  readonly index: number;
}

/** What is in a range that nobody is shown. */
export interface Scan {
  /** The first and the last of the lines that look like errors. */
  readonly errors: readonly FoundError[];
  /** How many lines looked like errors. */
  readonly errorCount: number;
  /** How many newlines there are among the bytes that exist. */
  readonly newlines: number;
  /** How many bytes were looked at. */
  readonly bytes: number;
  /** What does not exist any more. */
  readonly gaps: readonly ByteRange[];
}

/** How to scan. */
export interface ScanOptions extends ByteRange {
  readonly maxErrors: number;
  /** UTF-16 code units shown of a line, around the sign of the error. */
  readonly maxLineChars: number;
  /** Of a line longer than its `maxColumns` only the beginning is judged. */
  readonly view: DecodingOptions & RenderOptions;
}

/** Bytes of a line without end after which it is looked at in parts. */
const MAX_LINE = 262_144;

/**
 * Count the lines of a range that begins at a line, and keep those that look like errors.
 *
 * A newline ends whatever a line is made of, so each block of whole lines is judged on its own, and
 * only blocks with a sign of an error are rendered.
 */
export async function scan(source: ByteSource, options: ScanOptions): Promise<Scan> {
  const errors = new FirstAndLast(options.maxErrors);
  const gaps: ByteRange[] = [];
  const newlines = new Newlines(options.view);
  let count = 0;
  let bytes = 0;
  let rest: Uint8Array = new Uint8Array(0);
  const judge = (lines: Uint8Array, from: number): void => {
    if (options.maxErrors > 0 && mayHoldError(decoderOf(options.view).decode(lines))) {
      for (const error of errorsOf(lines, { ...options, from, index: count })) {
        errors.add(error);
      }
    }
    count += newlines.count({ from, bytes: lines });
  };
  for await (const block of blocks(source, { ...options, blockBytes: 131_072 })) {
    if (block.bytes === undefined) {
      judge(rest, block.from - rest.length);
      rest = new Uint8Array(0);
      gaps.push({ from: block.from, to: block.to });
      continue;
    }
    bytes += block.bytes.length;
    const from = block.from - rest.length;
    const run = { from, bytes: joined([rest, block.bytes]) };
    const last = newlines.afterLast(run);
    const whole = last === 0 && run.bytes.length >= MAX_LINE ? run.bytes.length : last;
    judge(run.bytes.subarray(0, whole), from);
    rest = run.bytes.slice(whole);
  }
  judge(rest, options.to - rest.length);
  return { errors: errors.kept(), errorCount: errors.count, newlines: count, bytes, gaps };
}

interface Judged extends Pick<ScanOptions, "maxLineChars" | "view"> {
  readonly from: number;
  readonly index: number;
}

function errorsOf(bytes: Uint8Array, { from, index, maxLineChars, view: how }: Judged) {
  const view = new TextView({ ...how, from });
  const found: FoundError[] = [];
  let before = index;
  for (const line of [...view.push(bytes), ...view.end()]) {
    const sign = errorSign(line.text);
    if (sign !== undefined) {
      const text = clipAround(line.text, maxLineChars, sign);
      found.push({ text, offset: line.from, index: before });
    }
    if (line.end === "newline") before++;
  }
  return found;
}

/** Texts that are remembered so that none is kept twice. */
const MAX_SEEN = 1000;

/** Keeps the first and the last of many errors, each text once. */
class FirstAndLast {
  readonly #limit: number;
  readonly #half: number;
  readonly #first: FoundError[] = [];
  readonly #last: FoundError[] = [];
  readonly #seen = new Set<string>();
  count = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.#half = Math.ceil(limit / 2);
  }

  add(error: FoundError): void {
    this.count++;
    if (this.#seen.has(error.text)) return;
    if (this.#seen.size < MAX_SEEN) this.#seen.add(error.text);
    if (this.#first.length < this.#half) this.#first.push(error);
    else {
      this.#last.push(error);
      // Now and then instead of at each one, as arrays shift in linear time.
      if (this.#last.length > 2 * this.#limit + 64) this.#trim();
    }
  }

  kept(): FoundError[] {
    this.#trim();
    return [...this.#first, ...this.#last];
  }

  #trim(): void {
    this.#last.splice(0, Math.max(0, this.#last.length - (this.#limit - this.#half)));
  }
}
