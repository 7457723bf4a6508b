import type { Clock } from "../../platform/clock.ts";
import type { ProcessTree } from "./process-tree.ts";

/** How often the processes are looked for, in milliseconds: often at first, as most are gone at once. */
const LOOKS_MS = [1, 2, 5, 10, 20, 50];
/** After as many looks, which take two seconds, whoever is left stays; a stall passes for one of them. */
const LIMIT_LOOKS = 45;

/** Call once nobody is left of a tree that the system ends, or does not end after all. */
export function whenEmpty(
  tree: Pick<ProcessTree, "survey">,
  clock: Pick<Clock, "after">,
  call: () => void,
): void {
  let looks = 0;
  const look = () => {
    if (tree.survey().length === 0 || looks === LIMIT_LOOKS) return call();
    clock.after(LOOKS_MS[Math.min(looks++, LOOKS_MS.length - 1)] ?? 50, look);
  };
  look();
}
