import type { CommandId } from "../../event/command.ts";
import { shownValue } from "../../value/shown.ts";

/** The error for a task that does not exist, or is forgotten. */
export function noSuchTask(what: string, taskId: CommandId): Error {
  return new Error(`Cannot ${what} ${shownValue(taskId)}: there is no such task`);
}
