import { lookInThisTurn } from "../pipe/look-at-intervals.ts";
import { threadsAtWork } from "./threads-at-work.ts";

const onDeno = "Deno" in globalThis;
/** How many turns of the event loop tell of everything: on Deno an exit takes several more than a byte, most of all the first. */
const TURNS = onDeno ? 12 : 3;
/** How often they are waited for again at most, as long as threads have something in hand. */
const ROUNDS = 16;

/** Call once everything that had happened to processes has been told. */
export function caughtUp(call: () => void): void {
  lookInThisTurn();
  inRounds(ROUNDS, call);
}

/** What a thread brings to the event loop, it brings before it rests: the turns that follow tell of it. */
function inRounds(more: number, call: () => void): void {
  const last = more === 0 || !othersAtWork();
  inTurns(TURNS, last ? call : () => inRounds(more - 1, call));
}

/** One turn: timers that are due, the world outside, and then what was asked for at once. */
function inTurns(count: number, call: () => void): void {
  if (count === 0) return call();
  setTimeout(() => setImmediate(() => inTurns(count - 1, call)), 0);
}

/**
 * Whether another thread of this process is at work. On Deno it may have read what a command wrote,
 * and, on a busy machine, still wait for a processor to say so; Node polls by itself.
 */
function othersAtWork(): boolean {
  // This one always is.
  return onDeno && threadsAtWork("self") > 1;
}
