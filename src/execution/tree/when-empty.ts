import type { Clock } from "../../platform/clock.ts";
import type { ProcessTree } from "./process-tree.ts";

/** How often the processes are looked for, in milliseconds: often at first, as most are gone at once. */
const LOOKS_MS = [1, 2, 5, 10, 20, 50];
/** After this time, in milliseconds, whoever is left stays. */
const LIMIT_MS = 2_000;

/** Call once nobody is left of a tree that the system ends, or does not end after all. */
export function whenEmpty(tree: ProcessTree, clock: Clock, call: () => void): void {
  const deadline = clock.monotonic() + LIMIT_MS;
  let looks = 0;
  const look = () => {
    if (tree.survey().length === 0 || clock.monotonic() >= deadline) return call();
    clock.after(LOOKS_MS[Math.min(looks++, LOOKS_MS.length - 1)] ?? 50, look);
  };
  look();
}
