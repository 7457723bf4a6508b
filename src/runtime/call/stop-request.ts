import { filter, firstValueFrom, map } from "rxjs";
import type { CommandId, StopCause } from "../../event/command.ts";
import type { Leftover } from "../../event/leftover.ts";
import { hasEnded } from "../../task/task-view.ts";
import type { TaskTable } from "../../task/tasks.ts";
import type { Commands } from "../commands.ts";
import type { Live } from "../live.ts";

/** What takes part in the stop of a task. */
export interface StopParts {
  readonly commands: Pick<Commands, "end">;
  readonly tasks: Live<TaskTable>;
}

/**
 * End a task and what it leaves behind, and wait until that is over.
 *
 * @returns The processes of it that cannot be ended.
 * @throws {Error} When the runtime closes before it has ended.
 */
export async function stop(
  { commands, tasks }: StopParts,
  taskId: CommandId,
  by: StopCause,
): Promise<readonly Leftover[]> {
  const known = tasks.current.byId.get(taskId);
  const survivors = await commands.end(taskId, by);
  if (known === undefined || hasEnded(known)) return survivors;
  const ended = await firstValueFrom(
    tasks.changes.pipe(map(({ byId }) => byId.get(taskId) ?? known), filter(hasEnded)),
    { defaultValue: undefined },
  );
  if (ended === undefined) throw new Error(`Cannot stop "${taskId}": its runtime is closing`);
  // It may have ended by itself just before, and left some.
  return ended.leftovers.length === 0 ? [] : await commands.end(taskId, by);
}
