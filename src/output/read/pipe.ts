import type { ByteRange } from "../../stream/byte-range.ts";
import type { Clock } from "../../platform/clock.ts";
import { readLog } from "./read-log.ts";
import type { Readable } from "./readable.ts";

/** How to pass bytes on. */
export interface PipeOptions {
  /** The first offset; 0 when absent. */
  readonly from?: number;
  /** Make the command wait when this reader lags, instead of losing bytes; false when absent. */
  readonly hold?: boolean;
  /** How many bytes at a time at most; 64 KiB when absent. */
  readonly maxBytes?: number;
  /** Ends it where it is, and releases what was held. */
  readonly signal?: AbortSignal;
  /** Called with each range that was lost before the reader came to it. */
  readonly onGap?: (gap: ByteRange) => void;
}

/**
 * Pass every byte on, in order, each piece once the one before was taken.
 *
 * With `hold` the command waits for a slow reader once some 400 KB wait in memory; without, a
 * slow reader finds gaps where neither memory nor a file has the bytes any more.
 *
 * @param write Takes a piece, which stays valid; what it answers is awaited.
 * @returns The offset that it came to: the end of the stream, unless it was aborted before.
 */
export async function pipe(
  log: Readable,
  write: (bytes: Uint8Array) => Promise<void> | void,
  options: PipeOptions & { readonly clock: Clock },
): Promise<number> {
  const { from = 0, hold = false, maxBytes = 64 * 1024, signal, onGap, clock } = options;
  const held = hold ? log.hold(from) : undefined;
  const release = () => held?.release();
  signal?.addEventListener("abort", release, { once: true });
  let at = from;
  try {
    while (signal?.aborted !== true) {
      const part = { from: at, maxBytes, waitMs: Infinity, signal };
      const { to, bytes, gaps } = await readLog(log, clock, part);
      for (const gap of gaps) onGap?.(gap);
      if (bytes.length > 0) await write(bytes);
      at = to;
      held?.moveTo(at);
      if (at >= log.total && log.ended) break;
    }
  } catch (cause) {
    if (signal?.aborted !== true) throw cause;
  } finally {
    release();
    signal?.removeEventListener("abort", release);
  }
  return at;
}
