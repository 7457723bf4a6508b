import { Observable } from "rxjs";
import { checkFrom } from "./offsets.ts";
import type { CancelTimer, Clock } from "../../platform/clock.ts";
import type { Readable } from "./readable.ts";
import type { ByteRange } from "../../stream/byte-range.ts";

/** How to follow a log. */
export interface FollowOptions {
  /** The first offset to tell of; 0 when absent. */
  readonly from?: number;
  /**
   * How long lies between two tellings at least, in milliseconds; 50 when absent. What comes after
   * a longer rest is told in the next turn of the event loop.
   */
  readonly everyMs?: number;
}

const EVERY_MS = 50;

/**
 * Tell which range is new, each adjoining the one before, and complete when the stream has ended.
 *
 * No byte is held for anybody: what is new is told at once when one subscribes, then as a whole
 * every so often, and whoever wants the bytes reads them. So a hundred who follow cost a command
 * the same whether it writes a line or a gigabyte in that time.
 *
 * Throws a `RangeError` when `from` is not a whole number.
 */
export function follow(
  log: Readable,
  clock: Clock,
  { from = 0, everyMs = EVERY_MS }: FollowOptions = {},
): Observable<ByteRange> {
  checkFrom("follow", from);
  return new Observable((subscriber) => {
    let next = from;
    let toldAt = Number.NEGATIVE_INFINITY;
    let cancel: CancelTimer = () => {};
    let unlisten: () => void = () => {};
    const tell = () => {
      const range = { from: next, to: log.total };
      if (range.to > range.from) {
        next = range.to;
        toldAt = clock.monotonic();
        subscriber.next(range);
      }
      if (subscriber.closed) return;
      if (log.ended && log.total <= next) return subscriber.complete();
      if (log.total > next) gather();
      else unlisten = log.onChange(gather);
    };
    const gather = () => {
      if (log.ended) return tell();
      cancel = clock.after(Math.max(0, toldAt + everyMs - clock.monotonic()), tell);
    };
    subscriber.add(() => {
      cancel();
      unlisten();
    });
    // The end does not wait for its moment; more bytes do.
    subscriber.add(log.onEnd(() => {
      cancel();
      unlisten();
      tell();
    }));
    tell();
  });
}
