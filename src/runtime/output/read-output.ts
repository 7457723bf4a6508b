import type { CommandId } from "../../event/command.ts";
import type { ByteLog } from "../../output/byte-log.ts";
import { concatenated } from "../../stream/concatenated.ts";
import type { ReadOptions, ReadResult } from "../../output/read/read-bytes.ts";
import type { ByteRange } from "../../stream/byte-range.ts";
import type { Clock } from "../../platform/clock.ts";
import type { OpenBytes } from "../state/recorded-output.ts";
import type { ByteSource } from "../../text/source/source.ts";
import { fileSize, openFileBytes } from "../../platform/file/file-bytes.ts";
import { hasEnded, type Task } from "../../task/task-view.ts";
import type { TaskTable } from "../../task/tasks.ts";
import type { Live } from "../live.ts";
import { knownTask } from "../call/known-task.ts";
import { defined } from "../../value/defined.ts";

/** Where tasks and their outputs are looked up. */
export interface Outputs {
  readonly clock: Clock;
  readonly tasks: Pick<Live<TaskTable>, "current">;
  output(taskId: CommandId): ByteLog | undefined;
  /** Absent where nothing is recorded on disk. */
  readonly recorded?: OpenRecorded | undefined;
}

/** Opens what a log on disk holds of the output of a task. */
export type OpenRecorded = (taskId: CommandId) => Promise<OpenBytes>;

/** Which bytes of a task are wanted, and how long they are waited for. */
interface OutputPart extends Part, Pick<ReadOptions, "waitMs" | "until"> {
  readonly taskId: CommandId;
  readonly signal?: AbortSignal | undefined;
}

/** How often a file is looked at for new bytes, in milliseconds. */
const LOOK_MS = 50;

/**
 * Read a task's output, wherever it is: in memory, in the file of a detached task, or in the log of
 * an earlier host. Lost ranges are answered as gaps.
 *
 * @throws {Error} When there is no such task, or its bytes are not kept.
 */
export async function readOutput(
  outputs: Outputs,
  { taskId, from, maxBytes, waitMs = 0, until = "more", signal }: OutputPart,
): Promise<ReadResult> {
  const { clock } = outputs;
  const deadline = clock.monotonic() + waitMs;
  const range = { from, maxBytes };
  for (;;) {
    signal?.throwIfAborted();
    // A task that waits for its turn has no log yet.
    const log = outputs.output(taskId);
    if (log !== undefined) {
      const leftMs = Math.max(0, deadline - clock.monotonic());
      return await log.read({ from, maxBytes, waitMs: leftMs, until, ...defined({ signal }) });
    }
    const task = knownTask(outputs.tasks, "read", taskId);
    const path = task.detached?.log;
    // Asked before the file is read: all that was written by the end is then in it.
    const ended = hasEnded(task);
    const waits = !ended && clock.monotonic() < deadline;
    if (path !== undefined) {
      // A read that waits for the end takes nothing before it.
      const result = waits && until === "end"
        ? undefined
        : await readOpened(openFileBytes(path), range, ended);
      if (result !== undefined && (!waits || result.total > from)) return result;
    } else if (ended) {
      const { recorded } = outputs;
      // What never ran has no output, in a log either.
      const none = recorded === undefined || task.totalBytes === 0;
      return none ? nothing(task) : await readOpened(recorded(taskId), range, ended);
    } else if (!waits) {
      return { from: 0, to: 0, bytes: new Uint8Array(), gaps: [], total: 0, ended };
    }
    await new Promise<void>((resolve) => void clock.after(LOOK_MS, resolve));
  }
}

type Part = Required<Pick<ReadOptions, "from" | "maxBytes">>;

async function readOpened(
  opened: Promise<OpenBytes>,
  part: Part,
  ended: boolean,
): Promise<ReadResult> {
  const source = await opened;
  return await readSource(source, part, ended).finally(() => source.close());
}

/** Read a part of a source, the gaps in it passed over. */
export async function readSource(
  source: ByteSource,
  { from: asked, maxBytes }: Part,
  ended: boolean,
): Promise<ReadResult> {
  const { total } = source;
  const from = Math.min(asked, total);
  const parts: Uint8Array[] = [];
  const gaps: ByteRange[] = [];
  let to = from;
  for (let left = maxBytes; to < total && left > 0;) {
    const { bytes } = await source.read({ from: to, maxBytes: Math.min(total - to, left) });
    if (bytes.length > 0) {
      parts.push(new Uint8Array(bytes));
      to += bytes.length;
      left -= bytes.length;
      continue;
    }
    // A gap counts for nothing: what follows it is wanted.
    const [gap] = (await source.read({ from: to, maxBytes: total - to })).gaps;
    gaps.push({ from: to, to: gap?.to ?? total });
    to = gap?.to ?? total;
  }
  return { from, to, bytes: concatenated(parts), gaps, total, ended };
}

/** How many bytes a task has written: of a detached one no event says that, as they go to a file. */
export function writtenBy(
  { detached, totalBytes }: Task,
  sizeOf: (file: string) => number = fileSize,
): number {
  return detached === undefined ? totalBytes : Math.max(totalBytes, sizeOf(detached.log));
}

/** A task without bytes, or one whose bytes were released. */
function nothing({ id, totalBytes }: Task): ReadResult {
  if (totalBytes > 0) throw new Error(`Cannot read "${id}": its output was released`);
  return { from: 0, to: 0, bytes: new Uint8Array(), gaps: [], total: 0, ended: true };
}
