import type { CommandId } from "../../event/command.ts";
import type { Leftover } from "../../event/leftover.ts";
import type { CommandPort } from "../port.ts";
import { waitFor } from "../wait/wait.ts";

/** Longer than a usual grace before KILL. */
const ENDS_WITHIN_SECONDS = 15;

/** Stop a task and wait for its end; answers which processes survived. */
export async function endTask(
  port: CommandPort,
  taskId: CommandId,
  signal?: AbortSignal,
): Promise<readonly Leftover[]> {
  const survivors = await port.stop(taskId);
  await waitFor(port, taskId, {
    until: { type: "exit" },
    seconds: ENDS_WITHIN_SECONDS,
    from: 0,
    signal,
    answersInput: false,
    foreground: false,
  });
  return survivors;
}
