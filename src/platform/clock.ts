/** Stops a timer. */
export type CancelTimer = () => void;

/** Time, as everything here asks for it. */
export interface Clock {
  /** Milliseconds since the epoch; may jump. */
  now(): number;
  /** Milliseconds from an arbitrary start; never jumps. */
  monotonic(): number;
  /** Call once, not before `ms` milliseconds have passed. */
  after(ms: number, call: () => void): CancelTimer;
}

/** The longest delay that a runtime's timer takes: beyond it, it would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (ms, call) => {
    let timer: ReturnType<typeof setTimeout>;
    const wait = (left: number) => {
      timer = setTimeout(
        () => left > LONGEST_MS ? wait(left - LONGEST_MS) : call(),
        Math.min(left, LONGEST_MS),
      );
    };
    wait(ms);
    return () => clearTimeout(timer);
  },
};
