import type { CommandId } from "../../event/command.ts";
import type { Task } from "../../task/task-view.ts";
import type { TaskTable } from "../../task/tasks.ts";
import { shownValue } from "../../value/shown.ts";
import type { Live } from "../live.ts";

/**
 * The task of an id.
 *
 * @param what What was asked for, as a verb.
 * @throws {Error} When there is none, or it is forgotten.
 */
export function knownTask(
  tasks: Pick<Live<TaskTable>, "current">,
  what: string,
  taskId: CommandId,
): Task {
  const task = tasks.current.byId.get(taskId);
  if (task !== undefined) return task;
  throw new Error(`Cannot ${what} ${shownValue(taskId)}: there is no such task`);
}
