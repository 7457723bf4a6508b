import process from "node:process";
import { systemClock } from "../../clock.ts";

/** What is to be done when this process is asked to stop. */
export interface StopActions {
  /** For the first signal. */
  readonly stop: () => void;
  /** For the second one, from somebody who cannot wait; absent: the process ends at once. */
  readonly hurry?: () => void;
}

/** What a host heard that asks it to stop. */
export interface StopSignals {
  /** The exit code for the first such signal, as shells report it; absent: none came. */
  readonly exitCode: number | undefined;
  /** Listen no more. */
  forget(): void;
}

const CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Signals that come within this time, in milliseconds, are one: a terminal sends it to all that run
 * in it, and whoever started this process may pass it on. It counts from when all that had come with
 * the first one was heard, as a busy machine may give this process no processor in between.
 */
const SAME_MS = 200;

/**
 * Listen for signals that ask this process to stop, instead of ending at once: the first one stops
 * it, the second one hurries, and after that it ends at once.
 */
export function onStopSignals({ stop, hurry }: StopActions): StopSignals {
  const steps = hurry === undefined ? [stop] : [stop, hurry];
  let exitCode: number | undefined;
  let heardAt = -Infinity;
  /** There may be more that came with the last one. */
  let hearing = false;
  const listeners = Object.entries(CODES).map(([signal, code]) => {
    const listener = () => {
      const now = performance.now();
      if (hearing || now - heardAt < SAME_MS) return;
      exitCode ??= code;
      const step = steps.shift();
      if (step === undefined) process.exit(exitCode);
      step();
      // What came while that was done is no other one.
      hearing = true;
      systemClock.after(0, () => {
        hearing = false;
        heardAt = performance.now();
      });
    };
    process.on(signal, listener);
    return () => process.off(signal, listener);
  });
  return {
    get exitCode() {
      return exitCode;
    },
    forget: () => {
      for (const forget of listeners) forget();
    },
  };
}
