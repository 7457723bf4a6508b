import { type Decoder, decoderOf, type DecodingOptions, unitBytes } from "./decode.ts";

/** What is known about a window beyond its bytes. */
export interface WindowOptions extends DecodingOptions {
  /** Absolute offset of the first byte. @default {0} */
  readonly from?: number;
  /** Whether the stream ends with the window, so that a cut character at its end is a broken one. */
  readonly last?: boolean;
}

/** The characters that a window has as a whole. */
interface WholeCharacters {
  readonly bytes: Uint8Array;
  /** Offset of the first byte. */
  readonly from: number;
  /** Offset after the last one. */
  readonly to: number;
}

/**
 * Leave out of a window the characters that it cuts at its edges.
 *
 * The end is found in every encoding. The beginning is found in UTF-8 and UTF-16; other multi-byte
 * encodings do not show where a character begins.
 */
export function wholeCharacters(bytes: Uint8Array, options: WindowOptions = {}): WholeCharacters {
  const { from: start = 0, last = false } = options;
  const before = start === 0 ? 0 : edgeBefore(bytes, start, decoderOf(options));
  const from = start + before;
  const begun = bytes.subarray(before);
  const shown = begun.subarray(0, begun.length - (last ? 0 : edgeAfter(begun, options)));
  return { bytes: shown, from, to: from + shown.length };
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
  const cuts = [1, 2, 3].filter((cut) => cut <= bytes.length);
  if (decoder.encoding === "utf-8") {
    // A character is found by its own bytes; nearly all ends are ASCII.
    if ((bytes.at(-1) ?? 0) < 0x80) return 0;
    const isBegun = (part: Uint8Array) => decoderOf(options).decode(part, { stream: true }) === "";
    return cuts.find((cut) => isBegun(bytes.subarray(-cut))) ?? 0;
  }
  const isWhole = (part: Uint8Array) => {
    const attempt = decoderOf(options);
    attempt.decode(part, { stream: true });
    return attempt.decode() === "";
  };
  return [0, ...cuts].find((cut) => isWhole(bytes.subarray(0, bytes.length - cut))) ?? 0;
}

/** Decode a window of output as it was written, escape sequences included, without the characters that it cuts. */
export function decodedWindow(
  bytes: Uint8Array,
  options: WindowOptions = {},
): WholeCharacters & { readonly text: string } {
  const whole = wholeCharacters(bytes, options);
  return { ...whole, text: decoderOf(options).decode(whole.bytes) };
}
