import { setTimeout as pause } from "node:timers/promises";

/** What has not come by then never will, in milliseconds; without an end it would take the time of all other tests. */
export const NEVER_MS = 90_000;

/** Between two looks, in milliseconds. */
const LONGEST_PAUSE_MS = 100;

/**
 * Wait for a state of the world.
 *
 * @param everyMs How often to look. A look at all processes takes its time from those looked at, so
 *   that a long one is followed by a longer pause.
 */
export async function until(holds: () => boolean, everyMs = 10): Promise<void> {
  const end = performance.now() + NEVER_MS;
  for (let before = performance.now(); !holds(); before = performance.now()) {
    const now = performance.now();
    if (now > end) throw new Error(`It never came to this: ${holds}`);
    await pause(Math.min(Math.max(everyMs, 4 * (now - before)), LONGEST_PAUSE_MS));
  }
}
