import { type Decoder, decoderOf, type DecodingOptions, unitBytes } from "./decode.ts";

/** How many bytes at either edge of a window belong to a character that the window cuts. */
export interface WindowEdges {
  readonly before: number;
  readonly after: number;
}

/** What is known about a window beyond its bytes. */
export interface WindowOptions extends DecodingOptions {
  /** Absolute offset of the first byte. @default {0} */
  readonly from?: number;
  /** Whether the stream ends with the window, so that a cut character at its end is a broken one. */
  readonly last?: boolean;
}

/**
 * Find the edges that keep a window from beginning or ending inside a character.
 *
 * The end is found in every encoding. The beginning is found in UTF-8 and UTF-16; other multi-byte
 * encodings do not show where a character begins.
 */
export function windowEdges(bytes: Uint8Array, options: WindowOptions = {}): WindowEdges {
  const { from = 0, last = false } = options;
  const before = from === 0 ? 0 : edgeBefore(bytes, from, decoderOf(options));
  return { before, after: last ? 0 : edgeAfter(bytes.subarray(before), options) };
}

function edgeBefore(bytes: Uint8Array, from: number, decoder: Decoder): number {
  if (unitBytes(decoder) === 2) {
    const odd = from % 2;
    const upper = bytes[odd + (decoder.encoding === "utf-16le" ? 1 : 0)] ?? 0;
    // The second half of a pair belongs to the first.
    const isLow = upper >= 0xdc && upper <= 0xdf;
    return Math.min(bytes.length, isLow ? odd + 2 : odd);
  }
  if (decoder.encoding !== "utf-8") return 0;
  // A character of UTF-8 has at most three bytes after its first one.
  let at = 0;
  while (at < 3 && at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++;
  return at;
}

/** How many of the last bytes belong to a character that ends beyond them. */
export function edgeAfter(bytes: Uint8Array, options: DecodingOptions = {}): number {
  const decoder = decoderOf(options);
  if (unitBytes(decoder) === 2) {
    const odd = bytes.length % 2;
    const upper = bytes.at(decoder.encoding === "utf-16le" ? -odd - 1 : -odd - 2) ?? 0;
    // The first half of a pair waits for the second.
    const isHigh = bytes.length > odd && upper >= 0xd8 && upper <= 0xdb;
    return isHigh ? odd + 2 : odd;
  }
  // A character of UTF-8 is found by its own bytes; in other encodings, those before it matter.
  const end = decoder.encoding === "utf-8" ? bytes.subarray(-4) : bytes;
  for (let cut = 0; cut <= Math.min(3, end.length); cut++) {
    const attempt = decoderOf(options);
    attempt.decode(end.subarray(0, end.length - cut), { stream: true });
    if (attempt.decode() === "") return cut;
  }
  return 0;
}

/** A window of output as it was written, escape sequences included. */
interface DecodedWindow {
  readonly text: string;
  /** Offset of the first byte that the text shows. */
  readonly from: number;
  /** Offset after the last one. */
  readonly to: number;
}

/** Decode a window of output without the characters that it cuts at its edges. */
export function decodedWindow(bytes: Uint8Array, options: WindowOptions = {}): DecodedWindow {
  const { before, after } = windowEdges(bytes, options);
  const from = (options.from ?? 0) + before;
  const shown = bytes.subarray(before, bytes.length - after);
  return { text: decoderOf(options).decode(shown), from, to: from + shown.length };
}
