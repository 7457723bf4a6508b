import { map, type Observable } from "rxjs";
import type { Clock } from "../../platform/clock.ts";
import type { Readable } from "./readable.ts";
import type { ByteRange } from "../../stream/byte-range.ts";
import { follow } from "./follow.ts";
import { checkFrom, checkMaxBytes } from "./offsets.ts";

/** How to show a running command. */
export interface LiveOptions {
  /** The first offset to show; 0 when absent. */
  readonly from?: number;
  /** How often at most, in milliseconds; 100 when absent. */
  readonly everyMs?: number;
  /** How many bytes at a time at most, the newest ones; 32 KiB when absent. */
  readonly maxBytes?: number;
}

/** The newest bytes of a moment. */
export interface LiveChunk extends ByteRange {
  readonly bytes: Uint8Array;
  /** How many bytes before `from` are not shown; the log may still have them. */
  readonly skipped: number;
}

const NOTHING = new Uint8Array(0);

/** Show what is new for eyes: gathered over moments, from memory alone, the newest when there is too much. */
export function live(
  log: Readable,
  clock: Clock,
  { from = 0, everyMs = 100, maxBytes = 32 * 1024 }: LiveOptions = {},
): Observable<LiveChunk> {
  checkFrom("show", from);
  checkMaxBytes("show", maxBytes);
  return follow(log, clock, { from, everyMs }).pipe(map((range) => {
    const wanted = Math.max(range.from, range.to - maxBytes);
    const bytes = log.peek(wanted, range.to) ?? log.peek(log.tailFrom, range.to) ?? NOTHING;
    const start = range.to - bytes.length;
    return { from: start, to: range.to, bytes, skipped: start - range.from };
  }));
}
