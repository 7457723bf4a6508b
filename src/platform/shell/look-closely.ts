import { availableParallelism } from "node:os";

/** How long the event loop stays awake for it, in milliseconds. */
const AWAKE_MS = 1;
/** The longest pause between two looks for what is late, in milliseconds; pauses double until then. */
const LONGEST_PAUSE_MS = 10;

/** On a single processor, who stays awake keeps it from the one that is waited for. */
export const canLookClosely: boolean = availableParallelism() > 1;

/**
 * Look for what is due sooner than the event loop would fall asleep and wake up, which takes a tenth
 * of a millisecond: it turns without pause, and all else has its turns. What is late, as on a busy
 * machine, is looked for at intervals.
 *
 * @param look Answers whether it was there.
 * @returns Gives up.
 */
export function lookClosely(look: () => boolean): () => void {
  const until = performance.now() + AWAKE_MS;
  let over = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const turn = () => {
    if (over || look()) return;
    if (performance.now() < until) setImmediate(turn);
    else lookIn(AWAKE_MS);
  };
  const lookIn = (ms: number) => {
    timer = setTimeout(() => {
      if (!look()) lookIn(Math.min(LONGEST_PAUSE_MS, ms * 2));
    }, ms);
  };
  setImmediate(turn);
  return () => {
    over = true;
    clearTimeout(timer);
  };
}
