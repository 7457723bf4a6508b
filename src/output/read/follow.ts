import { Observable } from "rxjs";
import type { CancelTimer, Clock } from "../../platform/clock.ts";
import type { ByteRange } from "../../stream/byte-range.ts";
import { checkLimits } from "../../value/check-limits.ts";
import type { Readable } from "./readable.ts";

/** How to follow a log. */
export interface FollowOptions {
  /** The first offset to report; 0 when absent. */
  readonly from?: number;
  /**
   * How long lies between two reports at least, in milliseconds; 50 when absent. What comes after
   * a longer rest is reported in the next turn of the event loop.
   */
  readonly everyMs?: number;
}

/**
 * Report which range is new, each adjoining the one before, and complete when the stream has ended.
 *
 * No byte is held for a subscriber: it gets what there is at once, then the rest as a whole every so
 * often, and reads the bytes if it wants them. So a hundred subscribers cost a command the same
 * whether it writes a line or a gigabyte in that time.
 *
 * Throws a `TypeError` when `from` is not a whole number.
 */
export function follow(
  log: Readable,
  clock: Clock,
  { from = 0, everyMs = 50 }: FollowOptions = {},
): Observable<ByteRange> {
  checkLimits("follow", { from });
  return new Observable((subscriber) => {
    let next = from;
    let reportedAt = Number.NEGATIVE_INFINITY;
    let cancel: CancelTimer = () => {};
    let unlisten: () => void = () => {};
    const report = () => {
      const range = { from: next, to: log.total };
      if (range.to > range.from) {
        next = range.to;
        reportedAt = clock.monotonic();
        subscriber.next(range);
      }
      if (subscriber.closed) return;
      if (log.ended && log.total <= next) return subscriber.complete();
      if (log.total > next) gather();
      else unlisten = log.onChange(gather);
    };
    const gather = () => {
      if (log.ended) return report();
      cancel = clock.after(Math.max(0, reportedAt + everyMs - clock.monotonic()), report);
    };
    const stop = () => {
      cancel();
      unlisten();
    };
    subscriber.add(stop);
    // The end does not wait for its moment; more bytes do.
    subscriber.add(log.onEnd(() => {
      stop();
      report();
    }));
    report();
  });
}
