import { Observable } from "rxjs";
import type { CancelTimer, Clock } from "../../platform/clock.ts";
import type { Readable } from "./readable.ts";
import type { Range } from "../range.ts";

/** How to follow a log. */
export interface FollowOptions {
  /** The first offset to tell of; 0 when absent. */
  readonly from?: number;
  /** How long news are gathered, in milliseconds; 0, one turn of the event loop, when absent. */
  readonly everyMs?: number;
}

/**
 * Tell which range is new, each adjoining the one before, and complete when the stream has ended.
 *
 * No byte is held for anybody: what is new comes at once when one subscribes, then gathered over
 * `everyMs`, and whoever wants the bytes reads them.
 */
export function follow(
  log: Readable,
  clock: Clock,
  { from = 0, everyMs = 0 }: FollowOptions = {},
): Observable<Range> {
  return new Observable((subscriber) => {
    let next = from;
    let cancel: CancelTimer = () => {};
    let unlisten: () => void = () => {};
    const tell = () => {
      const range = { from: next, to: log.total };
      if (range.to > range.from) {
        next = range.to;
        subscriber.next(range);
      }
      if (subscriber.closed) return;
      if (log.ended && log.total <= next) return subscriber.complete();
      if (log.total > next) return gather();
      unlisten = log.onChange(() => log.ended ? tell() : gather());
    };
    const gather = () => {
      cancel = clock.after(everyMs, tell);
      unlisten = log.onChange(ended);
    };
    // The end does not wait for its moment; more bytes do.
    const ended = () => {
      if (!log.ended) unlisten = log.onChange(ended);
      else {
        cancel();
        tell();
      }
    };
    subscriber.add(() => {
      cancel();
      unlisten();
    });
    tell();
  });
}
