import { defined } from "../../value/defined.ts";
import type { ExecutionStarted } from "../../event/execution.ts";
import type { ProcessIdentity } from "../../platform/process/processes.ts";

/** The start of a process that leads a group of its own. */
export function executionStarted(
  { pid, startTime }: ProcessIdentity,
  facts: Omit<ExecutionStarted, "type" | "pid" | "startTime">,
): ExecutionStarted {
  return { type: "execution.started", ...facts, pid, ...defined({ startTime }) };
}
