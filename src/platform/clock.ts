import { deliverNow } from "./deliver-now.ts";

/** Stops a timer. */
export type CancelTimer = () => void;

/** Time, as everything here asks for it. */
export interface Clock {
  /** Milliseconds since the epoch; may jump. */
  now(): number;
  /** Milliseconds from an arbitrary start; never jumps. */
  monotonic(): number;
  /**
   * Call once, not before `ms` milliseconds have passed, and after the bytes and exits that were
   * pending by then have been delivered: what has not happened at the call did not happen in time.
   */
  after(ms: number, call: () => void): CancelTimer;
  /**
   * As `after`, for a limit: the system was asked as well, however late its answers are handed over,
   * which takes the longer the more commands run.
   */
  deadline(ms: number, call: () => void): CancelTimer;
  /** It does not wait for what the host's own code does meanwhile, as in a replay. */
  readonly jumps?: boolean;
}

/** The longest delay that a runtime's timer takes: beyond it, it would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (ms, call) => {
    let cancel: CancelTimer;
    const wait = (left: number) => {
      const timer = setTimeout(() => {
        if (left > LONGEST_MS) wait(left - LONGEST_MS);
        else cancel = afterPendingIo(call);
      }, Math.min(left, LONGEST_MS));
      cancel = () => clearTimeout(timer);
    };
    wait(ms);
    return () => cancel();
  },
  deadline: (ms, call) => {
    const due = performance.now() + ms;
    let cancelled = false;
    const cancel = systemClock.after(ms, () => {
      deliverNow(due);
      if (!cancelled) call();
    });
    return () => {
      cancelled = true;
      cancel();
    };
  },
};

/**
 * How many turns of the event loop, from a timer on, deliver what is pending. Node polls once
 * between timers and immediates. On Deno threads read and wait, and hand over in one of the next
 * turns, later the busier the machine is.
 */
const TURNS = "Deno" in globalThis ? 3 : 1;

/** After the event loop was blocked, timers fire before what is pending is delivered. */
function afterPendingIo(call: () => void): CancelTimer {
  let cancelled = false;
  const turn = (left: number) => {
    setImmediate(() => {
      if (cancelled) return;
      if (left === 1) call();
      else setTimeout(() => turn(left - 1), 0);
    });
  };
  turn(TURNS);
  return () => {
    cancelled = true;
  };
}
