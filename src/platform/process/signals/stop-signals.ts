import process from "node:process";
import { systemClock } from "../../clock.ts";

/** What is to be done when this process is asked to stop. */
export interface StopActions {
  /** For the first signal. */
  readonly stop?: () => void;
  /** For the second signal; absent: the process ends at once. */
  readonly stopNow?: () => void;
}

/** The signals of a process that asked it to stop. */
export interface StopSignals {
  /** The exit code for the first such signal, as shells report it; absent: none came. */
  readonly exitCode: number | undefined;
  /** Resolves with the first one. */
  readonly stopped: Promise<void>;
  /** Listen no more. */
  forget(): void;
}

const CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Signals that come within this time, in milliseconds, are one: a terminal sends it to all that run
 * in it, and the process that started this one may pass it on. It counts from when all that had come
 * with the first one was delivered, as a busy machine may give this process no processor in between.
 */
const SAME_MS = 200;

/**
 * Listen for signals that ask this process to stop, instead of ending at once: the first one stops
 * it, the second one hurries, and after that it ends at once.
 */
export function onStopSignals({ stop = () => {}, stopNow }: StopActions): StopSignals {
  let resolve = () => {};
  const stopped = new Promise<void>((call) => {
    resolve = call;
  });
  const first = () => {
    resolve();
    stop();
  };
  const steps = stopNow === undefined ? [first] : [first, stopNow];
  let exitCode: number | undefined;
  let lastAt = -Infinity;
  /** There may be more that came with the last one. */
  let delivering = false;
  const listeners = Object.entries(CODES).map(([signal, code]) => {
    const listener = () => {
      const now = performance.now();
      if (delivering || now - lastAt < SAME_MS) return;
      exitCode ??= code;
      const step = steps.shift();
      if (step === undefined) process.exit(exitCode);
      step();
      // What came while that was done is no other one.
      delivering = true;
      systemClock.after(0, () => {
        delivering = false;
        lastAt = performance.now();
      });
    };
    process.on(signal, listener);
    return () => process.off(signal, listener);
  });
  return {
    get exitCode() {
      return exitCode;
    },
    stopped,
    forget: () => {
      for (const forget of listeners) forget();
    },
  };
}
