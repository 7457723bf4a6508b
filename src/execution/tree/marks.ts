import { MARK } from "../../platform/process/mark.ts";
import type { ProcessTable } from "../../platform/process/processes.ts";

/** The variable that marks every process of a detached command, in place of {@linkcode MARK}. */
export const DETACHED_MARK = "SHELLFLOW_DETACHED";

/**
 * The marks of a detached command. {@linkcode MARK} is emptied, not removed: that distinguishes it from
 * a process that cleared its environment, and ends the descent from the command that its host runs in.
 */
export function detachedMarks(commandId: string): Readonly<Record<string, string>> {
  return { [MARK]: "", [DETACHED_MARK]: commandId };
}

/** The marks of a helper of a runtime, which belongs to no command that the runtime may run in. */
export const NO_MARKS: Readonly<Record<string, string>> = detachedMarks("");

/** Whether a process belongs to a detached command, and not to the command that one was started in. */
export function isDetached(pid: number, table: ProcessTable): boolean {
  return table.variable(pid, MARK) === "" && table.variable(pid, DETACHED_MARK) !== undefined;
}
