import type { CancelTimer, Clock } from "../platform/clock.ts";

/** What a drain looks at. */
export interface DrainOptions {
  readonly clock: Clock;
  /** How many bytes have come so far. */
  readonly total: () => number;
  /** Whether somebody who can still write is at work, rather than asleep. */
  readonly writersAtWork: () => boolean;
  /** Called once: the output is quiet, or the limit is reached. */
  readonly done: () => void;
}

/** Between two looks, in milliseconds. */
const LOOK_MS = 25;
/** How many looks in a row must find nothing new: two, as the first may come late and before what waits in the pipe is read. */
const QUIET_LOOKS = 2;
/** How long a drain lasts at the most, in milliseconds. */
const LIMIT_MS = 500;

/**
 * Wait for the output of a process that has ended while others still hold its pipe.
 *
 * A background child that sleeps holds the answer back for some 50 ms. One that is at work, such as
 * the `tee` of a process substitution that has not had its turn yet, gets up to the limit.
 *
 * @returns Stops waiting, when the end of the stream comes first.
 */
export function drain({ clock, total, writersAtWork, done }: DrainOptions): CancelTimer {
  const start = clock.monotonic();
  let seen = total();
  let quiet = 0;
  let cancel: CancelTimer = () => {};
  const look = () => {
    const now = total();
    quiet = now === seen ? quiet + 1 : 0;
    seen = now;
    const over = clock.monotonic() - start >= LIMIT_MS;
    if (over || (quiet >= QUIET_LOOKS && !writersAtWork())) return done();
    cancel = clock.after(LOOK_MS, look);
  };
  cancel = clock.after(LOOK_MS, look);
  return () => cancel();
}
