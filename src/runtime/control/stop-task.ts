import { filter, firstValueFrom, map } from "rxjs";
import type { Clock } from "../../platform/clock.ts";
import { hasEnded, type Task } from "../../task/task.ts";
import { endingOf } from "../result.ts";
import { noSuchTask } from "../no-such-task.ts";
import type { Runtime } from "../runtime.ts";
import type { StopAnswer } from "./protocol.ts";

/** How long the processes that an ended task left are waited for, in milliseconds. */
const LEFTOVERS_MS = 10_000;

/** The runtime closed before it was known what became of a request. */
export class ClosedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ClosedError";
  }
}

/**
 * End a task and what it left behind, and tell how it ended.
 *
 * @throws {Error} When there is no such task.
 * @throws {ClosedError} When the runtime closes before it has ended.
 */
export async function stopTask(
  runtime: Pick<Runtime, "tasks" | "stop">,
  clock: Clock,
  taskId: string,
): Promise<StopAnswer> {
  const known = runtime.tasks.current.byId.get(taskId);
  if (known === undefined) throw noSuchTask("stop", taskId);
  // Nobody at once where it has not ended.
  const unseen = await runtime.stop(taskId, "stop");
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
  const told = task.leftovers.filter(({ pid }) => !unseen.some((other) => other.pid === pid));
  return { taskId, outcome: endingOf(task), leftovers: [...told, ...unseen] };
}

/** The task as soon as something holds of it. */
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
    throw new ClosedError(`Cannot stop "${task.id}": its runtime is closing`);
  }
  return found;
}
