import { endingOf } from "../call/result.ts";
import { noSuchTask } from "../call/no-such-task.ts";
import type { Runtime } from "../runtime.ts";
import type { StopAnswer } from "./protocol.ts";

/**
 * End a task and its leftovers, and answer how it ended.
 *
 * @throws {Error} When there is no such task, or the runtime closes before it has ended.
 */
export async function stopTask(
  runtime: Pick<Runtime, "tasks" | "stop">,
  taskId: string,
): Promise<StopAnswer> {
  const leftovers = await runtime.stop(taskId);
  const task = runtime.tasks.current.byId.get(taskId);
  if (task === undefined) throw noSuchTask("stop", taskId);
  return { taskId, outcome: endingOf(task), leftovers };
}
