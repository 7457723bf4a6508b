import type { CancelTimer, Clock } from "../../platform/clock.ts";

/** How often to look, in milliseconds. */
export interface LookPace {
  /** Between the first look and the second; the pause doubles from look to look. Default 100. */
  readonly firstMs?: number;
  /** Default 2 000. */
  readonly longestMs?: number;
}

/** Look at the world, at once and then at intervals, until `done` answers that it is as awaited. */
export function lookUntil(
  clock: Pick<Clock, "after">,
  done: () => boolean,
  { firstMs = 100, longestMs = 2_000 }: LookPace = {},
): CancelTimer {
  let cancel: CancelTimer = () => {};
  const look = (pauseMs: number) => {
    if (done()) return;
    cancel = clock.after(pauseMs, () => look(Math.min(longestMs, pauseMs * 2)));
  };
  look(firstMs);
  return () => cancel();
}
