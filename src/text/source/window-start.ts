import { type ByteRange } from "../../stream/byte-range.ts";
import { concatenated } from "../../stream/concatenated.ts";
import { decoderOf, type DecodingOptions } from "../decode/decode.ts";
import { windowEdges } from "../decode/edges.ts";
import { openSequence } from "../view/escapes.ts";
import { blocks } from "./blocks.ts";
import type { ByteSource } from "./source.ts";

/** Longest sequence that is looked for: links and window titles are much shorter. */
const MAX_SEQUENCE = 4096;

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
  const open = openBytes(preceding, options);
  if (open > 0) return from - open;
  // Nothing goes on from ASCII, so what follows it begins here, be it valid or not.
  if (options.encoding === undefined && (preceding.at(-1) ?? 0) < 0x80) return from;
  const bytes = await firstBytes(source, { from, to: from + 4 });
  return from + windowEdges(bytes, { ...options, from, last: true }).before;
}

/** How many of the last bytes belong to an escape sequence that continues after them. */
export function openBytes(bytes: Uint8Array, options: DecodingOptions): number {
  const start = bytes.lastIndexOf(0x1b);
  if (start < 0 || bytes.length - start > MAX_SEQUENCE) return 0;
  const text = decoderOf(options).decode(bytes.subarray(start), { stream: true });
  return openSequence(text) > 0 ? bytes.length - start : 0;
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
