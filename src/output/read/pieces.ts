import { type ReadResult, take } from "./read-bytes.ts";
import type { Readable } from "./readable.ts";
import { checkLimits } from "../../value/check-limits.ts";

/** Which pieces of an output to read. */
export interface PiecesOptions {
  /** The first offset; 0 when absent. */
  readonly from?: number;
  /**
   * Make the command wait when this reader lags, once some 400 KB wait in memory; `false` when absent:
   * then a slow reader finds gaps where neither memory nor a file has the bytes any more.
   */
  readonly hold?: boolean;
  /**
   * Once it settles, the pieces end with the bytes that are there by then: processes that a command
   * left behind may hold its output for hours. Absent: they end with the output.
   */
  readonly until?: Promise<unknown>;
}

/** Most bytes in a piece. */
const PIECE_BYTES = 64 * 1024;

/**
 * Read an output piece by piece, in order, until it ends.
 *
 * Throws a `TypeError` when `from` is not a whole number.
 */
export async function* pieces(
  log: Readable,
  { from = 0, hold = false, until }: PiecesOptions,
): AsyncGenerator<ReadResult, void, undefined> {
  checkLimits("read", { from });
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
        const piece = await take(log, at, PIECE_BYTES);
        yield piece;
        at = piece.to;
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
}
