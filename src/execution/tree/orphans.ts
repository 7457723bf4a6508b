import type { Leftover } from "../../event/leftover.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Processes } from "../../platform/process/processes.ts";
import { lookUntil } from "./look-until.ts";
import { type GraceOptions, KillProtocol } from "./kill-protocol.ts";
import { ProcessTree } from "./process-tree.ts";

/** What ending orphans needs. */
export interface OrphansOptions extends GraceOptions {
  readonly processes: Processes;
  readonly clock: Clock;
}

/** End the processes that carry nothing but such a mark; answers which of them survived. */
export async function endOrphans(
  isMark: (word: string) => boolean,
  { processes, clock, graceMs, graceCutoff }: OrphansOptions,
): Promise<readonly Leftover[]> {
  const tree = new ProcessTree(processes, { isMark });
  processes.table(true); // an older one shows as alive what has just ended
  if (!await haveMembers(tree, clock)) return [];
  const kill = new KillProtocol(tree, { clock, graceMs, graceCutoff });
  kill.begin();
  return tree.describe(await kill.survivors);
}

/** Whether there are some; what is just becoming another program shows in a moment whose it is. */
function haveMembers(tree: ProcessTree, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    lookUntil(clock, () => {
      const some = tree.survey().length > 0;
      if (!some && tree.changing) return false;
      resolve(some);
      return true;
    }, { firstMs: 1, longestMs: 100 });
  });
}
