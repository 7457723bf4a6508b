import { availableParallelism } from "node:os";

/** On a single processor, who stays awake keeps it from the one that is waited for. */
const HAS_ANOTHER = availableParallelism() > 1;

let waiting = 0;
let until = -Infinity;
let turning = false;

/**
 * Keep the event loop from sleeping, for what is due sooner than it would fall asleep and wake up:
 * that takes a tenth of a millisecond. It turns without pause meanwhile, and all else has its turns.
 *
 * @param ms For how long at the most, in milliseconds.
 * @returns Called once that has come, lets it sleep again.
 */
export function stayAwake(ms: number): () => void {
  if (!HAS_ANOTHER) return () => {};
  waiting++;
  until = Math.max(until, performance.now() + ms);
  if (!turning) turn();
  let rested = false;
  return () => {
    if (rested) return;
    rested = true;
    waiting--;
  };
}

function turn(): void {
  turning = waiting > 0 && performance.now() < until;
  if (turning) setImmediate(turn);
}
