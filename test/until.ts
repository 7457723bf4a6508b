import { setTimeout as pause } from "node:timers/promises";

/** What has not come by then never will, in milliseconds; without an end it would take the time of all other tests. */
export const NEVER_MS = 90_000;

/**
 * Wait for a state of the world.
 *
 * @param everyMs How often to look: a look at all processes takes its time from those looked at.
 */
export async function until(holds: () => boolean, everyMs = 10): Promise<void> {
  const end = performance.now() + NEVER_MS;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`It never came to this: ${holds}`);
    await pause(everyMs);
  }
}
