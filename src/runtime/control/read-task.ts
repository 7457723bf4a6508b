import type { Clock } from "../../platform/clock.ts";
import { base64Of } from "../../platform/base64.ts";
import { readFileRange } from "../../platform/file/file-range.ts";
import { hasEnded, type Task } from "../../task/task.ts";
import { noSuchTask } from "../call/task-calls.ts";
import type { Runtime } from "../runtime.ts";
import { LONGEST_WAIT_MS, MOST_READ_BYTES, type ReadAnswer } from "./protocol.ts";

/** Which part of a task's output is wanted. */
export interface ReadTaskOptions {
  readonly taskId: string;
  readonly from: number;
  readonly maxBytes: number;
  readonly waitMs: number;
}

/** How often a file is looked at for new bytes, in milliseconds. */
const LOOK_MS = 50;

/**
 * Read a task's output, wherever it is: in memory, or in the file of a detached or an earlier task.
 *
 * @throws {Error} When there is no such task, or its bytes are not kept.
 */
export async function readTask(
  runtime: Pick<Runtime, "tasks" | "output">,
  clock: Clock,
  options: ReadTaskOptions,
): Promise<ReadAnswer> {
  const { taskId, from } = options;
  const maxBytes = Math.min(options.maxBytes, MOST_READ_BYTES);
  const waitMs = Math.min(options.waitMs, LONGEST_WAIT_MS);
  const deadline = clock.monotonic() + waitMs;
  for (;;) {
    // A task that waits for its turn has no log yet.
    const log = runtime.output(taskId);
    if (log !== undefined) {
      const leftMs = Math.max(0, deadline - clock.monotonic());
      const { bytes, ...rest } = await log.read({ from, maxBytes, waitMs: leftMs });
      return { ...rest, base64: base64Of(bytes) };
    }
    const task = runtime.tasks.current.byId.get(taskId);
    if (task === undefined) throw noSuchTask("read", taskId);
    const path = task.detached?.log ?? task.spillPath;
    // Asked before the file is read: whatever was written by the end is in it.
    const ended = hasEnded(task);
    if (path !== undefined) {
      const answer = await readFile(path, { from, maxBytes }, ended);
      if (ended || answer.total > from || clock.monotonic() >= deadline) return answer;
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
): Promise<ReadAnswer> {
  const { bytes, total } = await readFileRange(path, range);
  const from = Math.min(range.from, total);
  return { from, to: from + bytes.length, base64: base64Of(bytes), gaps: [], total, ended };
}

/** A task without bytes, or one whose bytes were in the memory of a host that is gone. */
function nothing({ id, totalBytes }: Task, ended: boolean): ReadAnswer {
  if (totalBytes > 0) {
    throw new Error(
      `Cannot read "${id}": its output was in the memory of an earlier host; its log may hold it`,
    );
  }
  return { from: 0, to: 0, base64: "", gaps: [], total: 0, ended };
}
