import type { Recorded } from "../../event/event.ts";
import { readLog } from "../../event/log/read-log.ts";
import { bytesOf } from "../../text/decode/inline.ts";
import type { ByteSource, SourceRead } from "../../text/source/source.ts";
import { type FileBytes, openFileBytes } from "../../platform/file/file-bytes.ts";
import { recordedFile } from "../../platform/file/recorded-file.ts";

/** Bytes to read, which hold a file until they are closed. */
export interface OpenBytes extends ByteSource {
  close(): Promise<void>;
}

/**
 * Open what a log holds of the output of one of its tasks: the file that it names, as far as it
 * goes, and what the events carry.
 *
 * @param events Those of the log, where they are in memory.
 * @throws {Error} `Cannot read "<log>": <why>`, also when it has no such task.
 */
export async function openRecordedOutput(
  log: string,
  taskId: string,
  events?: AsyncIterable<Recorded>,
): Promise<OpenBytes> {
  return await opened(log, await found(log, taskId, events));
}

/**
 * Opens what a log holds of tasks that have written all they will; many reads of one follow each
 * other, so the log is searched once for them.
 *
 * @param flush Awaits that what was recorded is in the file.
 */
export function recordedOutputs(
  log: string,
  flush: () => Promise<void>,
): (taskId: string) => Promise<OpenBytes> {
  let last: { readonly taskId: string; readonly output: FoundOutput } | undefined;
  return async (taskId) => {
    if (last?.taskId !== taskId) {
      await flush();
      last = { taskId, output: await found(log, taskId) };
    }
    return await opened(log, last.output);
  };
}

interface FoundOutput {
  readonly pieces: readonly { readonly from: number; readonly bytes: Uint8Array }[];
  readonly path: string | undefined;
  readonly total: number;
}

async function found(
  log: string,
  taskId: string,
  events: AsyncIterable<Recorded> = readLog(log),
): Promise<FoundOutput> {
  const pieces: FoundOutput["pieces"][number][] = [];
  const tasks: string[] = [];
  let path: string | undefined;
  let total = 0;
  for await (const { event } of events) {
    if (event.type === "command.requested") tasks.push(event.commandId);
    if (!("commandId" in event) || event.commandId !== taskId) continue;
    if (event.type === "output.spilled") path = event.path;
    if (event.type === "task.detached") path = event.log;
    if (event.type !== "output.appended") continue;
    total = Math.max(total, event.to);
    if (event.inline !== undefined) {
      pieces.push({ from: event.from, bytes: bytesOf(event.inline) });
    }
  }
  if (!tasks.includes(taskId)) {
    throw new Error(`Cannot read "${taskId}" of "${log}": ${knownTasks(tasks)}`);
  }
  return { pieces, path, total };
}

async function opened(log: string, { pieces, path, total }: FoundOutput): Promise<OpenBytes> {
  // A file that is gone leaves gaps, and what the events carry.
  const file = path === undefined
    ? undefined
    : await openFileBytes(recordedFile(log, path)).catch(() => undefined);
  return {
    total: Math.max(total, file?.total ?? 0),
    read: (options) => readPart(options, pieces, file),
    close: async () => await file?.close(),
  };
}

/** The next stretch that one place holds, or the gap before it. */
async function readPart(
  { from, maxBytes }: { readonly from: number; readonly maxBytes: number },
  pieces: FoundOutput["pieces"],
  file: FileBytes | undefined,
): Promise<SourceRead> {
  if (from < (file?.total ?? 0)) {
    const read = await file?.read({ from, maxBytes });
    if (read !== undefined && read.bytes.length > 0) return read;
  }
  const to = from + maxBytes;
  const piece = pieces.find((piece) => from < piece.from + piece.bytes.length);
  const next = Math.min(to, piece?.from ?? to);
  if (piece === undefined || next > from) {
    const nothing = new Uint8Array(0);
    return { from, bytes: nothing, gaps: to > from ? [{ from, to: next }] : [] };
  }
  return { from, bytes: piece.bytes.subarray(from - piece.from, to - piece.from), gaps: [] };
}

/** Says that a task is none of these, and which there are. */
export function knownTasks(tasks: readonly string[]): string {
  if (tasks.length === 0) return "it has no task";
  const shown = tasks.slice(-10).map((id) => `"${id}"`).join(", ");
  return `no such task; ${tasks.length > 10 ? "its last are" : "it has"} ${shown}`;
}
