import type { ProcessIdentity } from "../processes.ts";
import type { ProcTable } from "../table/proc-table.ts";

/** A process that was just started, with its start time where the system has one. */
export function identify(pid: number, table: ProcTable): ProcessIdentity {
  const startTime = table.info(pid)?.startTime;
  return { pid, ...(startTime === undefined ? {} : { startTime }) };
}
