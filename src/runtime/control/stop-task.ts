import { endingOf } from "../call/result.ts";
import { knownTask } from "../call/known-task.ts";
import type { Runtime } from "../runtime.ts";
import type { StopAnswer } from "./protocol.ts";

/** End a task and its leftovers, and answer how it ended. */
export async function stopTask(
  runtime: Pick<Runtime, "tasks" | "stop">,
  taskId: string,
): Promise<StopAnswer> {
  const leftovers = await runtime.stop(taskId);
  return { taskId, outcome: endingOf(knownTask(runtime.tasks, "stop", taskId)), leftovers };
}
