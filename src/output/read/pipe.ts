import type { ByteRange } from "../../stream/byte-range.ts";
import { checkLimits } from "../../text/limits.ts";
import { pieces, type PiecesOptions } from "./pieces.ts";
import type { Readable } from "./readable.ts";

/** How to pass bytes on. */
export interface PipeOptions extends PiecesOptions {
  /** Called with each range that was lost before the reader came to it. */
  readonly onGap?: (gap: ByteRange) => void;
}

/**
 * Pass every byte on, in order, each piece once the one before was taken.
 *
 * @param write Takes a piece, which stays valid; what it answers is awaited. When it fails, so does the pipe.
 * @returns The offset that it came to.
 */
export async function pipe(
  log: Readable,
  write: (bytes: Uint8Array) => Promise<void> | void,
  { onGap, ...options }: PipeOptions,
): Promise<number> {
  checkLimits("pipe", { from: options.from ?? 0 });
  let at = options.from ?? 0;
  for await (const { to, bytes, gaps } of pieces(log, options)) {
    for (const gap of gaps) onGap?.(gap);
    if (bytes.length > 0) await write(bytes);
    at = to;
  }
  return at;
}
