import { concatenated } from "../../stream/concatenated.ts";
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
  /**
   * The bytes right before the window, of which the last four are enough: bytes that go on with
   * no character of theirs are invalid, and shown as such.
   *
   * @default Nothing is known of them, and every byte that can be the rest of a character is one.
   */
  readonly preceding?: Uint8Array;
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
  const before = (options.from ?? 0) === 0 ? 0 : edgeBefore(bytes, options, decoder);
  const after = options.last === true ? 0 : edgeAfter(bytes.subarray(before), options);
  return { before, after };
}

function edgeBefore(bytes: Uint8Array, options: WindowOptions, decoder: Decoder): number {
  const { from = 0, preceding } = options;
  if (unitBytes(decoder) === 2) {
    const odd = from % 2;
    const low = (surrogateBits(bytes.subarray(odd, odd + 2), decoder) ?? 0) === 0x37;
    const unit = preceding && concatenated([preceding.subarray(-2), bytes.subarray(0, odd)]);
    const cut = low && (unit === undefined || surrogateBits(unit.subarray(-2), decoder) === 0x36);
    return Math.min(bytes.length, cut ? odd + 2 : odd);
  }
  if (decoder.encoding !== "utf-8") return 0;
  if (preceding !== undefined) return restOf(preceding.subarray(-4), bytes, options);
  // A character of UTF-8 has at most three bytes after its first one.
  let at = 0;
  while (at < 3 && at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++;
  return at;
}

/** The upper six bits of a unit of UTF-16: 0x36 in the first half of a pair, 0x37 in the second. */
function surrogateBits(unit: Uint8Array, { encoding }: Decoder): number | undefined {
  const high = encoding === "utf-16le" ? unit[1] : unit[0];
  return high === undefined ? undefined : high >> 2;
}

/** How many bytes go on with a character that those before them begin, be it whole or broken. */
function restOf(preceding: Uint8Array, bytes: Uint8Array, options: DecodingOptions): number {
  const cut = edgeAfter(preceding, options);
  if (cut === 0) return 0;
  const begun = preceding.subarray(-cut);
  const isOne = (rest: number) => {
    const text = decoderOf(options).decode(concatenated([begun, bytes.subarray(0, rest)]));
    return [...text].length === 1;
  };
  let rest = 0;
  while (rest < 3 && rest < bytes.length && isOne(rest + 1)) rest++;
  return rest;
}

/** How many of the last bytes belong to a character that ends beyond them. */
export function edgeAfter(bytes: Uint8Array, options: DecodingOptions): number {
  const decoder = decoderOf(options);
  if (unitBytes(decoder) === 2) {
    const odd = bytes.length % 2;
    const unit = bytes.subarray(0, bytes.length - odd).subarray(-2);
    return odd + (surrogateBits(unit, decoder) === 0x36 ? 2 : 0);
  }
  const tail = tailOf(bytes, decoder);
  const whole = decoder.decode(tail, { stream: true });
  if (decoder.decode() === "") return 0;
  // No character of the encodings here is cut after more than three of its bytes. Of several cuts
  // that leave the same, the longest is meant: it begins where no character goes on.
  for (let cut = Math.min(3, tail.length); cut > 0; cut--) {
    const at = tail.length - cut;
    const isHeld = decoderOf(options).decode(tail.subarray(at), { stream: true }) === "";
    const before = decoderOf(options).decode(tail.subarray(0, at));
    if (isHeld && onceReplaced(before) === onceReplaced(whole)) return cut;
  }
  return 0;
}

/** Some decoders replace a broken character by more than one where they see it later. */
function onceReplaced(text: string): string {
  return text.replace(/\ufffd+/gu, "\ufffd");
}

/** As much of the end of bytes as tells whether it cuts a character. */
function tailOf(bytes: Uint8Array, decoder: Decoder): Uint8Array {
  if (decoder.encoding === "utf-8") return bytes.subarray(-4);
  // What an escape sequence has switched to holds up to the next one.
  if (decoder.encoding === "iso-2022-jp") return bytes;
  // Below 0x30, no byte of these encodings goes on with a character.
  let from = bytes.length;
  while (from > 0 && (bytes[from - 1] ?? 0) >= 0x30) from--;
  return bytes.subarray(from);
}
