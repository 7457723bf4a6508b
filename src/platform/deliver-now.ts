/** What asks the system for ended children and pending bytes, and delivers them. */
const looks = new Set<() => void>();

/** What had happened by then is delivered, in milliseconds of the monotonic clock. */
let deliveredTo = -Infinity;

/** Have the system asked by {@linkcode deliverNow} too, and not only once a thread or a signal says so. */
export function deliverBy(look: () => void): void {
  looks.add(look);
}

/**
 * Deliver what has happened up to a moment of the monotonic clock: a program that keeps the event loop
 * busy hears of it only turns later. Of many limits that end together the first one asks.
 */
export function deliverNow(due: number): void {
  if (deliveredTo >= due) return;
  deliveredTo = performance.now();
  for (const look of looks) look();
}
