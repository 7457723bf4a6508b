import { filter, firstValueFrom, map } from "rxjs";
import type { Clock } from "../../platform/clock.ts";
import { hasEnded, type Task } from "../../task/task-view.ts";
import { endingOf } from "../call/result.ts";
import { noSuchTask } from "../call/no-such-task.ts";
import type { Runtime } from "../runtime.ts";
import type { StopAnswer } from "./protocol.ts";

/** How long the end of leftovers is waited for, in milliseconds. */
const LEFTOVERS_MS = 10_000;

/**
 * End a task and its leftovers, and answer how it ended.
 *
 * @throws {Error} When there is no such task, or the runtime closes before it has ended.
 */
export async function stopTask(
  runtime: Pick<Runtime, "tasks" | "stop">,
  clock: Clock,
  taskId: string,
): Promise<StopAnswer> {
  const known = runtime.tasks.current.byId.get(taskId);
  if (known === undefined) throw noSuchTask("stop", taskId);
  // At once, and empty, while the task runs.
  const survivors = await runtime.stop(taskId, "stop");
  let task = await reached(runtime, known, hasEnded);
  if (task.leftovers.length > 0 && !task.closed) {
    let cancel = () => {};
    const late = new Promise<Task>((resolve) => {
      cancel = clock.after(LEFTOVERS_MS, () => resolve(task));
    });
    await Promise.race([reached(runtime, task, ({ closed }) => closed), late]);
    cancel();
    task = runtime.tasks.current.byId.get(taskId) ?? task;
  }
  const others = task.leftovers.filter(({ pid }) => !survivors.some((found) => found.pid === pid));
  return { taskId, outcome: endingOf(task), leftovers: [...others, ...survivors] };
}

/** The task as soon as a condition holds. */
async function reached(
  { tasks }: Pick<Runtime, "tasks">,
  task: Task,
  holds: (task: Task) => boolean,
): Promise<Task> {
  const found = await firstValueFrom(
    tasks.changes.pipe(
      map(({ byId }) => byId.get(task.id) ?? task),
      filter(holds),
    ),
    { defaultValue: undefined },
  );
  if (found === undefined) {
    throw new Error(`Cannot stop "${task.id}": its runtime is closing`);
  }
  return found;
}
