import type { DetachedIdentity } from "../../platform/process/detached/detached-files.ts";
import type { ProcessTable } from "../../platform/process/processes.ts";
import { DETACHED_MARK } from "../tree/marks.ts";

/** Where a process is looked for. */
export interface Surroundings {
  readonly table: ProcessTable;
  /** Names this run of the machine. */
  readonly bootId: string | undefined;
}

/**
 * Whether a detached process still is the one that was started: on this run of the machine, under
 * this pid, since this time, with this mark.
 */
export function isAlive(
  { commandId, pid, startTime, bootId }: DetachedIdentity & { readonly commandId: string },
  { table, bootId: boot }: Surroundings,
): boolean {
  if (bootId !== boot) return false;
  const found = table.all.find((process) => process.pid === pid);
  if (found === undefined || found.state === "Z" || found.state === "X") return false;
  return found.startTime === startTime &&
    table.variable(pid, DETACHED_MARK)?.split(" ").includes(commandId) === true;
}
