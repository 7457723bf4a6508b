import type { CommandId } from "../../event/command.ts";
import type { ByteLog } from "../../output/byte-log.ts";
import type { ReadOptions, ReadResult } from "../../output/read/read-log.ts";
import type { Clock } from "../../platform/clock.ts";
import { readFileRange } from "../../platform/file/file-range.ts";
import { hasEnded, type Task } from "../../task/task.ts";
import type { TaskTable } from "../../task/tasks.ts";
import type { Live } from "../live.ts";
import { noSuchTask } from "./task-calls.ts";

/** Which part of a task's output is wanted, all of it said. */
export type OutputRange = Required<Pick<ReadOptions, "from" | "maxBytes" | "waitMs">>;

/** Where tasks and their outputs are looked up. */
export interface Outputs {
  readonly tasks: Pick<Live<TaskTable>, "current">;
  output(taskId: CommandId): ByteLog | undefined;
}

/** How often a file is looked at for new bytes, in milliseconds. */
const LOOK_MS = 50;

/**
 * Read a task's output, wherever it is: in memory, or in the file of a detached or an earlier task.
 *
 * @throws {Error} When there is no such task, or its bytes are not kept.
 */
export async function readOutput(
  outputs: Outputs,
  clock: Clock,
  { taskId, from, maxBytes, waitMs }: OutputRange & { readonly taskId: CommandId },
): Promise<ReadResult> {
  const deadline = clock.monotonic() + waitMs;
  for (;;) {
    // A task that waits for its turn has no log yet.
    const log = outputs.output(taskId);
    if (log !== undefined) {
      const leftMs = Math.max(0, deadline - clock.monotonic());
      return await log.read({ from, maxBytes, waitMs: leftMs });
    }
    const task = outputs.tasks.current.byId.get(taskId);
    if (task === undefined) throw noSuchTask("read", taskId);
    const path = task.detached?.log ?? task.spillPath;
    // Asked before the file is read: whatever was written by the end is in it.
    const ended = hasEnded(task);
    if (path !== undefined) {
      const result = await readFile(path, { from, maxBytes }, ended);
      if (ended || result.total > from || clock.monotonic() >= deadline) return result;
    } else if (ended || clock.monotonic() >= deadline) {
      return nothing(task, ended);
    }
    await new Promise<void>((resolve) => void clock.after(LOOK_MS, resolve));
  }
}

async function readFile(
  path: string,
  range: { readonly from: number; readonly maxBytes: number },
  ended: boolean,
): Promise<ReadResult> {
  const { bytes, total } = await readFileRange(path, range);
  const from = Math.min(range.from, total);
  return { from, to: from + bytes.length, bytes, gaps: [], total, ended };
}

/** A task without bytes, or one whose bytes were in the memory of a host that is gone. */
function nothing({ id, totalBytes }: Task, ended: boolean): ReadResult {
  if (totalBytes > 0) {
    throw new Error(
      `Cannot read "${id}": its output was in the memory of an earlier host; its log may hold it`,
    );
  }
  return { from: 0, to: 0, bytes: new Uint8Array(), gaps: [], total: 0, ended };
}
