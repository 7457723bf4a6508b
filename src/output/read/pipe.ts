import { checkFrom, checkMaxBytes } from "./offsets.ts";
import { take } from "./read-log.ts";
import type { Readable } from "./readable.ts";
import type { ByteRange } from "../../stream/byte-range.ts";

/** How to pass bytes on. */
export interface PipeOptions {
  /** The first offset; 0 when absent. */
  readonly from?: number;
  /** Make the command wait when this reader lags, instead of losing bytes; false when absent. */
  readonly hold?: boolean;
  /** How many bytes at a time at most; 64 KiB when absent. */
  readonly maxBytes?: number;
  /** Ends it where it is; what was held is let go. */
  readonly signal?: AbortSignal;
  /** Told of each range that was lost before the reader came to it. */
  readonly onGap?: (gap: ByteRange) => void;
}

/**
 * Pass every byte on, in order, each piece once the one before was taken.
 *
 * With `hold` the command waits for a slow reader once some 400 KB wait in memory; without, a
 * slow reader finds gaps where neither memory nor a file has the bytes any more.
 *
 * @param write Takes a piece, which stays valid; what it answers is awaited.
 * @returns The offset that it came to: the end of the stream, unless it was ended before.
 */
export async function pipe(
  log: Readable,
  write: (bytes: Uint8Array) => Promise<void> | void,
  { from = 0, hold = false, maxBytes = 64 * 1024, signal, onGap }: PipeOptions = {},
): Promise<number> {
  checkFrom("pipe", from);
  checkMaxBytes("pipe", maxBytes);
  const held = hold ? log.hold(from) : undefined;
  const stop = () => held?.release();
  signal?.addEventListener("abort", stop, { once: true });
  let at = from;
  try {
    while (signal?.aborted !== true) {
      const { to, bytes, gaps } = await take(log, at, maxBytes);
      for (const gap of gaps) onGap?.(gap);
      if (bytes.length > 0) await write(bytes);
      at = to;
      held?.moveTo(at);
      if (at >= log.total && log.ended) break;
      await changed(log, at, signal);
    }
    return at;
  } finally {
    stop();
    signal?.removeEventListener("abort", stop);
  }
}

function changed(log: Readable, at: number, signal: AbortSignal | undefined): Promise<void> {
  if (log.ended || log.total > at) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      unlisten();
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const unlisten = log.onChange(done);
    signal?.addEventListener("abort", done, { once: true });
  });
}
