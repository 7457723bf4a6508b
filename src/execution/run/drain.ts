import type { CancelTimer, Clock } from "../../platform/clock.ts";

/** What a drain looks at. */
export interface DrainOptions {
  readonly clock: Pick<Clock, "monotonic" | "after">;
  /** How many bytes have come so far. */
  readonly total: () => number;
  /** Whether the reader takes no bytes for now: that is no silence, and its time does not count. */
  readonly held: () => boolean;
  /** Whether bytes may be on their way: a process that can still write is running, rather than asleep. */
  readonly writersAtWork: () => boolean;
  /** Called once: the output is quiet, or the limit is reached. */
  readonly done: () => void;
}

/** Between two looks, in milliseconds. */
const LOOK_MS = 25;
/** How many looks in a row must find nothing new. */
const QUIET_LOOKS = 2;
/** How long a drain lasts at the most, in milliseconds and in looks: on a busy machine looks take longer. */
const LIMIT_MS = 500;
const LIMIT_LOOKS = LIMIT_MS / LOOK_MS;

/**
 * Wait for the output of a process that has ended while others still hold its pipe.
 *
 * A background child that sleeps holds the answer back for some 50 ms. One that is running, such as
 * the `tee` of a process substitution that has had no processor yet, gets up to the limit.
 *
 * @returns Stops waiting, when the end of the stream comes first.
 */
export function drain(
  { clock, total, held, writersAtWork, done }: DrainOptions,
): CancelTimer {
  let start = clock.monotonic();
  let seen = total();
  let quiet = 0;
  let looks = 0;
  let cancel: CancelTimer = () => {};
  const wait = () => {
    cancel = clock.after(LOOK_MS, look);
  };
  const look = () => {
    if (held()) {
      start = clock.monotonic();
      quiet = looks = 0;
      return wait();
    }
    const over = ++looks >= LIMIT_LOOKS && clock.monotonic() - start >= LIMIT_MS;
    quiet = total() === seen ? quiet + 1 : 0;
    seen = total();
    if (over) return done();
    if (quiet < QUIET_LOOKS || writersAtWork()) return wait();
    // What they wrote before they were seen asleep is delivered by then.
    cancel = clock.after(0, () => total() === seen ? done() : wait());
  };
  wait();
  return () => cancel();
}
