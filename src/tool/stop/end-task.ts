import type { CommandId } from "../../event/command.ts";
import type { Leftover } from "../../event/leftover.ts";
import type { Suite } from "../configuration.ts";
import { waitFor } from "../wait/wait.ts";

/** Longer than a usual grace before KILL. */
const ENDS_WITHIN_SECONDS = 15;

/** Stop a task and wait for its end; answers which processes survived. */
export async function endTask(
  suite: Suite,
  taskId: CommandId,
  signal?: AbortSignal,
): Promise<readonly Leftover[]> {
  const survivors = await suite.runtime.stop(taskId);
  await waitFor(suite, taskId, {
    until: { type: "exit" },
    seconds: ENDS_WITHIN_SECONDS,
    signal,
  });
  return survivors;
}
