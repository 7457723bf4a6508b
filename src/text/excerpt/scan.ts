import { clipAround } from "../clip.ts";
import { binaryKind } from "../binary.ts";
import { blocks } from "../source/blocks.ts";
import { concatenated } from "../../stream/concatenated.ts";
import { fromIndex, Newlines, type Run } from "../source/newlines.ts";
import type { ByteRange } from "../../stream/byte-range.ts";
import type { ByteSource } from "../source/source.ts";
import type { RenderOptions } from "../view/text-view.ts";
import { decoderOf, type DecodingOptions } from "../decode/decode.ts";
import { TextView } from "../view/text-view.ts";
import { windowEdges } from "../decode/edges.ts";
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

/** What is in a range that nobody is shown; every line of the range is judged, or lost. */
export interface Scan extends ByteRange {
  /** The first and the last of the lines that look like errors. */
  readonly errors: readonly FoundError[];
  /** How many lines looked like errors. */
  readonly errorCount: number;
  /** How many newlines there are among the bytes that exist. */
  readonly newlines: number;
  /** What does not exist any more. */
  readonly gaps: readonly ByteRange[];
}

/** How to scan. */
export interface ScanOptions extends ByteRange {
  /** The side at which the range may end inside a line, which is left out then. */
  readonly cut?: "before" | "after";
  readonly maxErrors: number;
  /** UTF-16 code units shown of a line, around the sign of the error. */
  readonly maxLineChars: number;
  /** Of a line longer than its `maxColumns` only the beginning is judged. */
  readonly view: DecodingOptions & RenderOptions;
}

/** Bytes of a line without end after which it is looked at in parts. */
const MAX_LINE = 262_144;

/**
 * Count the lines of a range and keep those that look like errors.
 *
 * A newline ends whatever a line is made of, so each block of whole lines is judged on its own, and
 * only blocks with a sign of an error are rendered.
 */
export async function scan(source: ByteSource, options: ScanOptions): Promise<Scan> {
  const { view, cut } = options;
  const newlines = new Newlines(view);
  const errors = new FirstAndLast(options.maxErrors);
  const gaps: ByteRange[] = [];
  let count = 0;
  let from = options.from;
  let skips = cut === "before";
  let rest = emptyRun(from);
  const judge = (run: Run): void => {
    if (options.maxErrors > 0 && mayHoldError(decoderOf(view).decode(run.bytes))) {
      for (const error of errorsOf(run, { ...options, index: count })) errors.add(error);
    }
    count += newlines.count(run);
  };
  for await (const block of blocks(source, { ...options, blockBytes: 131_072 })) {
    if (block.bytes === undefined) {
      if (skips) from = block.from;
      else judge(rest);
      skips = false;
      gaps.push({ from: block.from, to: block.to });
      rest = emptyRun(block.to);
      continue;
    }
    let run = { from: rest.from, bytes: concatenated([rest.bytes, block.bytes]) };
    if (rest.from === gaps.at(-1)?.to) run = fromCharacter(run, view);
    if (skips) {
      const start = newlines.after(run);
      if (start === 0 && run.bytes.length < MAX_LINE) {
        rest = run;
        continue;
      }
      skips = false;
      run = start > 0 ? fromIndex(run, start) : fromCharacter(run, view);
      from = run.from;
    }
    let whole = newlines.afterLast(run);
    if (whole === 0 && run.bytes.length >= MAX_LINE) {
      whole = run.bytes.length - windowEdges(run.bytes, { ...view, from: run.from }).after;
    }
    judge({ from: run.from, bytes: run.bytes.subarray(0, whole) });
    rest = fromIndex(run, whole);
  }
  if (skips) from = options.to;
  else if (cut !== "after") judge(rest);
  const to = cut === "after" ? rest.from : options.to;
  return { from, to, errors: errors.kept(), errorCount: errors.count, newlines: count, gaps };
}

function emptyRun(from: number): Run {
  return { from, bytes: new Uint8Array(0) };
}

/** Leave out what remains of a character that begins before. */
function fromCharacter(run: Run, view: DecodingOptions): Run {
  return fromIndex(run, windowEdges(run.bytes.subarray(0, 4), { ...view, from: run.from }).before);
}

interface Judged extends Pick<ScanOptions, "maxLineChars" | "view"> {
  /** Newlines before the run. */
  readonly index: number;
}

function errorsOf({ from, bytes }: Run, { index, maxLineChars, view: how }: Judged): FoundError[] {
  const view = new TextView({ ...how, from });
  const found: FoundError[] = [];
  let before = index;
  for (const line of [...view.push(bytes), ...view.end()]) {
    const sign = errorSign(line.text);
    // A program that is printed holds the words of its errors, and did not say them.
    if (sign !== undefined && !isBinary(bytes.subarray(line.from - from, line.to - from), how)) {
      const text = clipAround(line.text, maxLineChars, sign);
      found.push({ text, offset: line.from, index: before });
    }
    if (line.end === "newline") before++;
  }
  return found;
}

function isBinary(line: Uint8Array, view: DecodingOptions): boolean {
  return new Newlines(view).bytes === 1 && binaryKind(line, { start: false }) !== undefined;
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
