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
  /** UTF-16 code units shown of a line, around the sign of the error. */
  readonly maxLineChars: number;
  readonly view: Pick<TextViewOptions, "encoding" | "progress">;
}

/** So many errors are kept, each text once. */
const MOST_ERRORS = 20;

interface Part extends ByteRange {
  /** The side on which the part may end inside a line, which is left out then. */
  readonly cut?: "before" | "after";
}

/** Count the lines of a range and keep those that look like errors. */
export async function scan(source: ByteSource, options: ScanOptions): Promise<Scan> {
  const { maxLineChars, view: viewOptions } = options;
  // Two-byte encodings are full of NULs; where one is named, the output is text.
  const mayBeBinary = unitBytes(decoderOf(viewOptions)) === 1;
  const errors: KeptError[] = [];
  let errorCount = 0;
  /** The number of the next line; null where lines before it were not counted. */
  let number: number | null = options.firstLine;
  let lines = 0;
  let searchedBytes = 0;
  let lostBytes = 0;
  /** What is no text in the block that is read. */
  let binary: ByteRange | undefined;

  /** Keep the first and the last errors, each text once. */
  const keep = (error: KeptError): void => {
    errorCount++;
    if (errors.some(({ text }) => text === error.text)) return;
    errors.push(error);
    if (errors.length > MOST_ERRORS) errors.splice(Math.ceil(MOST_ERRORS / 2), 1);
  };
  const look = ({ text, from, to, end }: ViewLine): void => {
    searchedBytes += to - from;
    // A program that is printed holds the words of its errors, and did not write them.
    const isText = binary === undefined || to <= binary.from || from >= binary.to;
    const sign = isText ? errorSign(text) : undefined;
    if (sign !== undefined) {
      keep({ line: number, offset: from, text: clipAround(text, maxLineChars, sign) });
    }
    if (end !== "newline" && to < source.total) return;
    lines++;
    if (number !== null) number++;
  };
  for (const { from, to, cut } of partsOf(options)) {
    let skips = cut === "before";
    if (skips) number = null;
    let view = new TextView({ ...viewOptions, from });
    const lookAt = (found: readonly ViewLine[]): void => {
      for (const line of found.slice(skips ? 1 : 0)) look(line);
      if (found.length > 0) skips = false;
    };
    const finish = () => {
      lookAt(view.end());
      // What shows nothing is no line.
      searchedBytes += view.at - view.lineFrom;
    };
    for await (const block of blocks(source, { from, to })) {
      if (block.bytes !== undefined) {
        const stretch = mayBeBinary ? binaryStretch(block.bytes) : undefined;
        binary = stretch && { from: block.from + stretch.from, to: block.from + stretch.to };
        lookAt(view.push(block.bytes));
        continue;
      }
      finish();
      skips = false;
      lostBytes += sizeOf([block]);
      searchedBytes += sizeOf([block]);
      number = null;
      view = new TextView({ ...viewOptions, from: block.to });
    }
    if (cut !== "after") finish();
  }
  const unsearchedBytes = sizeOf([options]) - searchedBytes;
  const isCounted = unsearchedBytes === 0 && lostBytes === 0;
  return {
    lines: isCounted ? lines : null,
    minLines: lines,
    lostBytes,
    unsearchedBytes,
    errorCount,
    errors,
  };
}

/** The first errors are often the cause and the last ones the reason why it ended. */
function partsOf({ from, to, maxScanBytes }: ScanOptions): readonly Part[] {
  if (to - from <= maxScanBytes) return [{ from, to }];
  if (maxScanBytes === 0) return [];
  const half = Math.floor(maxScanBytes / 2);
  return [{ from, to: from + half, cut: "after" }, { from: to - half, to, cut: "before" }];
}
