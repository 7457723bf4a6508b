import type { Waiter } from "./read-when-ready.ts";

/** In milliseconds: the pause doubles while nothing comes. */
const FIRST_PAUSE_MS = 1;
const MAX_PAUSE_MS = 10;

/** Waits for one pipe by looking at it from time to time. */
export function waitAtIntervals(): Waiter {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  return {
    wait: (_, call, idle) => {
      pauseMs = idle ? Math.min(MAX_PAUSE_MS, pauseMs * 2) : FIRST_PAUSE_MS;
      timer = setTimeout(call, pauseMs);
    },
    cancel: () => clearTimeout(timer),
  };
}
