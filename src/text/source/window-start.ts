import { concatenated } from "../../stream/concatenated.ts";
import { blocks } from "./blocks.ts";
import type { ByteRange } from "../../stream/byte-range.ts";
import type { ByteSource } from "./source.ts";
import { MAX_SEQUENCE, openSequence } from "../view/open-sequence.ts";
import type { DecodingOptions } from "../decode/decode.ts";
import { windowEdges } from "../decode/edges.ts";

/**
 * Find where a window has to begin that shows what follows an offset: inside an escape sequence
 * where that begins, inside a character where that ends.
 */
export async function windowStart(
  source: ByteSource,
  offset: number,
  options: DecodingOptions,
): Promise<number> {
  const from = Math.min(Math.max(0, offset), source.total);
  const preceding = await bytesBefore(source, from);
  const open = openSequence(preceding, options);
  if (open > 0) return from - open;
  const bytes = await firstBytes(source, { from, to: from + 4 });
  const known = preceding.length > 0 ? { preceding } : {};
  return from + windowEdges(bytes, { ...options, from, ...known, last: true }).before;
}

/** The bytes of a range up to the first gap, however short the answers of the source are. */
export async function firstBytes(source: ByteSource, range: ByteRange): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const { bytes } of blocks(source, range)) {
    if (bytes === undefined) break;
    parts.push(bytes);
  }
  return concatenated(parts);
}

/** The bytes right before an offset, as far as a sequence can reach back. */
async function bytesBefore(source: ByteSource, offset: number): Promise<Uint8Array> {
  let parts: Uint8Array[] = [];
  for await (const { bytes } of blocks(source, { from: offset - MAX_SEQUENCE, to: offset })) {
    if (bytes === undefined) parts = [];
    else parts.push(bytes);
  }
  return concatenated(parts);
}
