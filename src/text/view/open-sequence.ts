import { EscapeParser } from "./escape-parser.ts";
import { decoderOf, type DecodingOptions } from "../decode/decode.ts";

/** Longest sequence that is looked for: links and window titles are much shorter. */
export const MAX_SEQUENCE = 4096;

/**
 * Find out whether bytes end inside an escape sequence.
 *
 * An ESC begins a sequence wherever it stands, so what comes before the last one does not matter.
 * C1 controls are not looked for: hardly a program sends them, and not all of them begin anything
 * wherever they stand.
 *
 * @returns How many of the last bytes belong to the sequence: a window that begins after them has
 * to begin before them, lest the rest of the sequence be shown as text. 0 where none is open.
 */
export function openSequence(bytes: Uint8Array, options: DecodingOptions = {}): number {
  const start = bytes.lastIndexOf(0x1b);
  if (start < 0 || bytes.length - start > MAX_SEQUENCE) return 0;
  const text = decoderOf(options).decode(bytes.subarray(start), { stream: true });
  const parser = new EscapeParser();
  if (!parser.open(text.charCodeAt(0))) return 0;
  for (let at = 1; at < text.length && !parser.idle;) at += parser.read(text, at).taken;
  return parser.idle ? 0 : bytes.length - start;
}
