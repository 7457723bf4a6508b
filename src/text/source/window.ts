import { decoderOf, type DecodingOptions } from "../decode/decode.ts";
import { edgeAfter, wholeCharacters } from "../decode/edges.ts";
import { openSequence } from "../view/escapes.ts";
import type { ByteSource } from "./source.ts";
import { firstBytes, lastBytes } from "./blocks.ts";

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
  const from = Math.min(offset, source.total);
  const preceding = await lastBytes(source, { from: from - MAX_SEQUENCE, to: from });
  const open = openBytes(preceding, options);
  if (open > 0) return from - open;
  // No character continues after ASCII, so what follows it begins here, be it valid or not.
  if (options.encoding === undefined && (preceding.at(-1) ?? 0) < 0x80) return from;
  const bytes = await firstBytes(source, { from, to: from + 4 });
  return wholeCharacters(bytes, { ...options, from, last: true }).from;
}

/** Find where a window has to end that shows nothing beyond an offset, and no part of a character. */
export async function windowEnd(
  source: ByteSource,
  offset: number,
  options: DecodingOptions,
): Promise<number> {
  if (offset >= source.total) return source.total;
  // Encodings of two bytes need an even beginning.
  const from = Math.max(0, offset - offset % 2 - MAX_SEQUENCE);
  return offset - edgeAfter(await lastBytes(source, { from, to: offset }), options);
}

/** How many of the last bytes belong to an escape sequence that continues after them. */
export function openBytes(bytes: Uint8Array, options: DecodingOptions): number {
  const start = bytes.lastIndexOf(0x1b);
  if (start < 0 || bytes.length - start > MAX_SEQUENCE) return 0;
  const text = decoderOf(options).decode(bytes.subarray(start), { stream: true });
  return openSequence(text) > 0 ? bytes.length - start : 0;
}
