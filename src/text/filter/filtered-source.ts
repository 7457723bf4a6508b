import { concatenated } from "../../stream/concatenated.ts";
import { binaryStretch } from "../binary.ts";
import { firstBytes } from "../source/blocks.ts";
import type { ByteSource } from "../source/source.ts";
import { TextView } from "../view/text-view.ts";
import { type CompiledRule, type FilteredLines, filterLines } from "./filter-lines.ts";

/** An output without the lines that rules find. */
export interface FilteredSource extends Pick<FilteredLines, "leftOut"> {
  readonly source: ByteSource;
  /** Where in the output a byte of it stands. */
  readonly place: (byte: number) => number;
  /** How many lines the output has. */
  readonly lines: number;
}

/** A longer output is not filtered, as that takes the thread at one go. */
const MOST_BYTES = 1024 * 1024;
const MOST_LINES = 20_000;
const NEWLINE = 0x0a;
/** It must become shorter by so many lines, and by a third of its bytes. */
const LEAST_LINES = 20;

/** Leave out the lines of an output that rules find; `undefined` where that gains little. */
export async function filteredSource(
  source: ByteSource,
  rules: readonly CompiledRule[],
): Promise<FilteredSource | undefined> {
  const { total } = source;
  if (total > MOST_BYTES) return undefined;
  const bytes = await firstBytes(source, { from: 0, to: total });
  // Lines beside a gap are not whole.
  if (bytes.length < total) return undefined;
  if (binaryStretch(bytes) !== undefined || countNewlines(bytes) > MOST_LINES) return undefined;
  const view = new TextView();
  const lines = [...view.push(bytes), ...view.end()];
  const { items, leftOut } = filterLines(lines.map(({ text }) => text), rules);
  const count = items.filter((item) => typeof item === "number").length;
  if (lines.length - count < LEAST_LINES) return undefined;
  const pieces: Piece[] = [];
  let at = 0;
  let from = 0;
  for (const item of items) {
    const line = typeof item === "number" ? lines[item] : undefined;
    const shown = line === undefined
      ? new TextEncoder().encode(`${item}\n`)
      : bytes.subarray(line.from, line.to);
    pieces.push({ at, from: line?.from ?? from, bytes: shown });
    at += shown.length;
    from = line?.to ?? from;
  }
  if (at * 3 > total * 2) return undefined;
  const kept = concatenated(pieces.map(({ bytes }) => bytes));
  return {
    source: {
      total: kept.length,
      read: ({ from, maxBytes }) =>
        Promise.resolve({ from, bytes: kept.subarray(from, from + maxBytes), gaps: [] }),
    },
    place: (byte) => placeIn(pieces, byte) ?? total,
    lines: lines.length,
    leftOut,
  };
}

function countNewlines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}

/** A line or a marker: its place in what remains, and in the output. */
interface Piece {
  readonly at: number;
  readonly from: number;
  readonly bytes: Uint8Array;
}

function placeIn(pieces: readonly Piece[], byte: number): number | undefined {
  const piece = pieces.find(({ at, bytes }) => byte < at + bytes.length);
  return piece && piece.from + Math.max(0, byte - piece.at);
}
