import type { ByteRange } from "../../stream/byte-range.ts";
import { checkLimits } from "../../text/limits.ts";
import { take } from "./read-log.ts";
import type { Readable } from "./readable.ts";

/** How to pass bytes on. */
export interface PipeOptions {
  /** The first offset; 0 when absent. */
  readonly from?: number;
  /** Make the command wait when this reader lags, instead of losing bytes; false when absent. */
  readonly hold?: boolean;
  /**
   * Once it settles, what there is by then is passed on, and not more: processes that a command left
   * behind may hold its output for hours.
   */
  readonly until?: Promise<unknown>;
  /** Called with each range that was lost before the reader came to it. */
  readonly onGap?: (gap: ByteRange) => void;
}

/**
 * Pass every byte on, in order, each piece once the one before was taken.
 *
 * With `hold` the command waits for a slow reader once some 400 KB wait in memory; without, a slow
 * reader finds gaps where neither memory nor a file has the bytes any more.
 *
 * @param write Takes a piece, which stays valid; what it answers is awaited. When it fails, so does the pipe.
 * @returns The offset that it came to.
 */
export async function pipe(
  log: Readable,
  write: (bytes: Uint8Array) => Promise<void> | void,
  { from = 0, hold = false, until, onGap }: PipeOptions,
): Promise<number> {
  checkLimits("pipe", { from });
  const held = hold ? log.hold(from) : undefined;
  let isOver = false;
  let wake: () => unknown = () => {};
  const over = () => {
    isOver = true;
    wake();
  };
  void until?.then(over, over);
  let at = from;
  try {
    while (at < log.total || !(isOver || log.ended)) {
      if (at < log.total) {
        const { to, bytes, gaps } = await take(log, at, 64 * 1024);
        for (const gap of gaps) onGap?.(gap);
        if (bytes.length > 0) await write(bytes);
        at = to;
        held?.moveTo(at);
        continue;
      }
      await new Promise<void>((resolve) => {
        const forget = log.onChange(resolve);
        wake = () => {
          forget();
          resolve();
        };
      });
    }
  } finally {
    held?.release();
  }
  return at;
}
