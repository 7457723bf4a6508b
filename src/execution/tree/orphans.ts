import type { Clock } from "../../platform/clock.ts";
import type { Processes } from "../../platform/process/processes.ts";
import type { GraceCutoff } from "./grace-cutoff.ts";
import { KillProtocol } from "./kill-protocol.ts";
import { ProcessTree } from "./process-tree.ts";

/** What ending orphans needs. */
export interface OrphansOptions {
  readonly processes: Processes;
  readonly clock: Clock;
  /** Between the polite signal and KILL, in milliseconds. */
  readonly graceMs: number;
  readonly graceCutoff?: GraceCutoff;
}

/** End the processes that carry the mark of one of these runtimes, none of which lives; answers whether all are gone. */
export async function endOrphans(
  runtimeIds: readonly string[],
  { processes, clock, ...options }: OrphansOptions,
): Promise<boolean> {
  if (runtimeIds.length === 0) return true;
  const tree = new ProcessTree(processes, {
    isMark: (word) => runtimeIds.some((id) => word.startsWith(`${id}/`)),
  });
  const kill = new KillProtocol(tree, clock, options);
  kill.begin();
  return (await kill.survivors).length === 0;
}
