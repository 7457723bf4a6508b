import { type CancelTimer, type Clock, systemClock } from "../src/platform/clock.ts";

/** The machine's time, which a test can put forward once the world is as it is to be by then. */
export interface SteeredClock extends Clock {
  /** Let so many milliseconds pass at once. What is due by then is called in a later turn. */
  forward(ms: number): void;
}

interface Timer {
  readonly due: number;
  readonly call: () => void;
  readonly kind: "after" | "deadline";
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
    timer.cancel = systemClock[timer.kind](Math.max(0, timer.due - monotonic()) / rate, () => {
      timers.delete(timer);
      timer.call();
    });
  };
  const timerOf = (kind: Timer["kind"]) => (ms: number, call: () => void): CancelTimer => {
    const timer: Timer = { due: monotonic() + ms, call, kind, cancel: () => {} };
    timers.add(timer);
    arm(timer);
    return () => {
      timers.delete(timer);
      timer.cancel();
    };
  };
  return {
    now: () => systemClock.now() + aheadMs,
    monotonic,
    after: timerOf("after"),
    deadline: timerOf("deadline"),
    forward: (ms) => {
      // What is due already is on its way; a new start would put it off.
      const waiting = [...timers].filter(({ due }) => due > monotonic());
      aheadMs += ms;
      for (const timer of waiting.sort((a, b) => a.due - b.due)) {
        timer.cancel();
        arm(timer);
      }
    },
  };
}
