import { type CancelTimer, type Clock, systemClock } from "../src/platform/clock.ts";

/** The machine's time, which a test can put forward once the world is as it is to be by then. */
export interface SteeredClock extends Clock {
  /** Let so many milliseconds pass at once. What is due by then is called in a later turn. */
  forward(ms: number): void;
}

interface Timer {
  readonly due: number;
  readonly call: () => void;
  cancel: CancelTimer;
}

/**
 * A clock for real processes, of which no machine can say by when they have come so far.
 *
 * @param rate How fast it runs by itself: one that is slow gives processes the more of the machine's
 *   time within the same limit.
 */
export function steeredClock(rate = 1): SteeredClock {
  let aheadMs = 0;
  const timers = new Set<Timer>();
  const monotonic = () => systemClock.monotonic() * rate + aheadMs;
  const arm = (timer: Timer) => {
    timer.cancel = systemClock.after(Math.max(0, timer.due - monotonic()) / rate, () => {
      timers.delete(timer);
      timer.call();
    });
  };
  return {
    now: () => systemClock.now() + aheadMs,
    monotonic,
    after: (ms, call) => {
      const timer: Timer = { due: monotonic() + ms, call, cancel: () => {} };
      timers.add(timer);
      arm(timer);
      return () => {
        timers.delete(timer);
        timer.cancel();
      };
    },
    forward: (ms) => {
      aheadMs += ms;
      for (const timer of [...timers].sort((a, b) => a.due - b.due)) {
        timer.cancel();
        arm(timer);
      }
    },
  };
}
