import { decoderOf } from "./decode.ts";
import { windowEdges, type WindowOptions } from "./edges.ts";

/** A window of output as it was written, escape sequences included. */
export interface DecodedWindow {
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
