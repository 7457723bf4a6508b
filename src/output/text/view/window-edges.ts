import { type Decoder, decoderOf, type DecodingOptions, unitBytes } from "./text-decoding.ts";

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
 * encodings do not tell where a character begins.
 */
export function windowEdges(bytes: Uint8Array, options: WindowOptions = {}): WindowEdges {
  const decoder = decoderOf(options);
  const from = options.from ?? 0;
  const before = from === 0 ? 0 : edgeBefore(bytes, from, decoder);
  const after = options.last === true ? 0 : edgeAfter(bytes.subarray(before), options);
  return { before, after };
}

function edgeBefore(bytes: Uint8Array, from: number, decoder: Decoder): number {
  if (unitBytes(decoder) === 2) {
    const odd = from % 2;
    const high = decoder.encoding === "utf-16le" ? bytes[odd + 1] : bytes[odd];
    return Math.min(bytes.length, high !== undefined && high >> 2 === 0x37 ? odd + 2 : odd);
  }
  if (decoder.encoding !== "utf-8") return 0;
  // A character of UTF-8 has at most three bytes after its first one.
  let at = 0;
  while (at < 3 && at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++;
  return at;
}

function edgeAfter(bytes: Uint8Array, options: DecodingOptions): number {
  // Four bytes are the longest character of any encoding here; what the decoder holds back after
  // the whole it no longer holds back once the cut character is gone.
  for (let cut = 0; cut < 4 && cut <= bytes.length; cut++) {
    const decoder = decoderOf(options);
    decoder.decode(bytes.subarray(0, bytes.length - cut), { stream: true });
    if (decoder.decode() === "") return cut;
  }
  return 0;
}
