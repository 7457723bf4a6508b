/** How many turns of the event loop tell of everything: on Deno an exit takes several more than a byte, most of all the first. */
const TURNS = "Deno" in globalThis ? 12 : 3;

/** Call once everything that had happened to processes has been told. */
export function caughtUp(call: () => void): void {
  inTurns(TURNS, call);
}

/** One turn: timers that are due, the world outside, and then what was asked for at once. */
function inTurns(count: number, call: () => void): void {
  if (count === 0) return call();
  setTimeout(() => setImmediate(() => inTurns(count - 1, call)), 0);
}
