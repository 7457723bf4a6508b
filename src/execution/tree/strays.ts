import type { Clock } from "../../platform/clock.ts";
import type { Processes } from "../../platform/process/processes.ts";
import type { Haste } from "./haste.ts";
import { killTree } from "./kill.ts";
import { ProcessTree } from "./process-tree.ts";

/** What ending strays needs. */
export interface StraysOptions {
  readonly processes: Processes;
  readonly clock: Clock;
  /** Between the polite signal and KILL, in milliseconds. */
  readonly graceMs: number;
  /** Ends the grace before its time. */
  readonly haste?: Haste;
}

/** End whatever carries the mark of one of these runtimes, none of which lives; answers whether all of it is gone. */
export async function endStrays(
  runtimeIds: readonly string[],
  { processes, clock, graceMs, haste }: StraysOptions,
): Promise<boolean> {
  if (runtimeIds.length === 0) return true;
  const tree = new ProcessTree(processes, {
    isMark: (word) => runtimeIds.some((id) => word.startsWith(`${id}/`)),
  });
  const survivors = await killTree(tree, clock, { graceMs, haste });
  return survivors.length === 0;
}
