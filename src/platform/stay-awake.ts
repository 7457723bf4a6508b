import { availableParallelism } from "node:os";

/** On a single processor, who stays awake keeps it from the one that is waited for. */
export const canStayAwake: boolean = availableParallelism() > 1;

/** What to do meanwhile. */
export interface Awake {
  /** Called in each turn. */
  readonly look?: () => void;
  /** Called once the time is over. */
  readonly late?: () => void;
}

/**
 * Keep the event loop from sleeping, for what is due sooner than it would fall asleep and wake up:
 * that takes a tenth of a millisecond. It turns without pause meanwhile, and all else has its turns.
 *
 * @param ms For how long at the most, in milliseconds.
 * @returns Lets it sleep again, once that has come.
 */
export function stayAwake(ms: number, { look, late }: Awake = {}): () => void {
  const until = performance.now() + ms;
  let over = !canStayAwake;
  const turn = () => {
    if (over) return;
    look?.();
    if (over) return;
    if (performance.now() < until) setImmediate(turn);
    else late?.();
  };
  setImmediate(turn);
  return () => {
    over = true;
  };
}
