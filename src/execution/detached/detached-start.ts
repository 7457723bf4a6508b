import type { CommandId } from "../../event/command.ts";
import type { ExecutionStarted } from "../../event/execution.ts";
import type { ProcessIdentity } from "../../platform/process/processes.ts";

/** The start of a process that outlives its host; it leads a group of its own. */
export function detachedStart(
  commandId: CommandId,
  { pid, startTime }: ProcessIdentity,
): ExecutionStarted {
  return {
    type: "execution.started",
    commandId,
    executor: "detached",
    pid,
    ...(startTime !== undefined && { startTime }),
    group: pid,
  };
}
