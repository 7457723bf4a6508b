import process from "node:process";

/** What a host heard that asks it to stop. */
export interface StopSignals {
  /** The exit code for the first such signal, as shells report it; absent: none came. */
  readonly exitCode: number | undefined;
  /** Listen no more. */
  forget(): void;
}

const CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Call once when this process is asked to stop, instead of ending at once; a second signal is for
 * those who cannot wait.
 */
export function onStopSignals(stop: () => void): StopSignals {
  let exitCode: number | undefined;
  const listeners = Object.entries(CODES).map(([signal, code]) => {
    const listener = () => {
      if (exitCode !== undefined) process.exit(code);
      exitCode = code;
      stop();
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
