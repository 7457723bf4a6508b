import type { Leftover } from "../../event/leftover.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Processes } from "../../platform/process/processes.ts";
import type { GraceCutoff } from "./grace-cutoff.ts";
import { KillProtocol } from "./kill-protocol.ts";
import { ProcessTree } from "./process-tree.ts";

/** What ending orphans needs. */
export interface OrphansOptions {
  readonly processes: Processes;
  readonly clock: Clock;
  /** Between the polite signal and KILL, in milliseconds; default 5 000. */
  readonly graceMs?: number;
  readonly graceCutoff?: GraceCutoff;
}

/** End the processes that carry nothing but such a mark; answers which of them survived. */
export async function endOrphans(
  isMark: (word: string) => boolean,
  { processes, clock, ...options }: OrphansOptions,
): Promise<readonly Leftover[]> {
  const tree = new ProcessTree(processes, { isMark });
  processes.table(true); // an older one shows as alive what has just ended
  if (tree.survey().length === 0) return [];
  const kill = new KillProtocol(tree, clock, options);
  kill.begin();
  return tree.describe(await kill.survivors);
}
