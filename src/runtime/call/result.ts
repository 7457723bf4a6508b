import type { CommandId, SessionId } from "../../event/command.ts";
import type { Outcome } from "../../event/execution.ts";
import type { Leftover } from "../../event/leftover.ts";
import { defined } from "../../value/defined.ts";
import type { ExecutorCapabilities } from "../../execution/executor.ts";
import { decodedWindow } from "../../text/decode/edges.ts";
import type { Mask } from "../../text/mask.ts";
import { ofStream } from "../../output/streams.ts";
import { type ByteRange, joined } from "../../stream/byte-range.ts";
import type { OutputStream } from "../../stream/bytes.ts";
import { readOn } from "../../text/read-on.ts";
import type { ShownOutput } from "../output/stored-output.ts";
import type { PromotionCause } from "../../event/task.ts";
import { refusal } from "./refusal.ts";
import { type Decision, hasEnded, type Task } from "../../task/task-view.ts";

/** How a task ended, with or without a process, or how it went on without its caller. */
export type Ending =
  | Outcome
  | { readonly type: "promoted"; readonly by: PromotionCause }
  | {
    readonly type: "detached";
    readonly pid: number;
    readonly log: string;
    readonly pidFile: string;
  }
  | { readonly type: "rejected" | "denied" | "failed"; readonly reason: string };

/** What became of one command. */
export interface RunResult {
  /** Names the command in events, and in calls such as `stop`. */
  readonly taskId: CommandId;
  /** The session in which it ran. */
  readonly sessionId: SessionId;
  /** The line as it was asked for. */
  readonly command: string;
  /** How it ended, or that it goes on, or why it did not run. */
  readonly outcome: Ending;
  /** The command's own exit code; `null` unless it exited by itself. */
  readonly exitCode: number | null;
  /**
   * What it wrote, both streams in order: the beginning and the end when it is long, and between them
   * a line that counts what is omitted, with the command that reads on where a file has it. Secrets of
   * the host's environment are shown as stars.
   */
  readonly output: string;
  /** What it wrote to each, in the same way, of a command that ran with `split`. */
  readonly streams?: Readonly<Record<OutputStream, string>>;
  /** How many bytes it wrote. */
  readonly totalBytes: number;
  /** How many of them are not in `output`. */
  readonly omittedBytes: number;
  /**
   * The file with its output, or with as much of its beginning as could be kept, when memory does not
   * hold it all. It goes with the runtime unless that has a `log`, or `output.spill` names a directory.
   */
  readonly artifact?: string;
  /** Where it ran, and where the shell of its session stands after it; without that shell both are the same. */
  readonly cwd: { readonly before: string; readonly after: string };
  /** From its start to its end, or to this result where it goes on, in milliseconds; 0 when nothing ran. */
  readonly durationMs: number;
  /** Its processes that still run. */
  readonly leftovers: readonly Leftover[];
  /** Why it was allowed to run, or not; absent when it was never judged. */
  readonly decision?: Decision;
  /** What the sandbox refused it when it failed or was ended: connections, or what its output speaks of. */
  readonly refusal?: string;
}

/** What a result is made of. */
export interface ResultParts {
  readonly task: Task;
  /** The bytes; absent when nothing ran, or they are not kept. */
  readonly log?: ShownOutput | undefined;
  /** Which of them came from standard error; absent: the streams are not apart. */
  readonly stderr?: readonly ByteRange[] | undefined;
  /** Where it ran; for a command that never ran, the directory of its session. */
  readonly cwd: string;
  readonly now: number;
  readonly sandbox?: ExecutorCapabilities["sandbox"];
  readonly mask?: Mask | undefined;
}

/** Put together what became of a command. */
export function resultOf(parts: ResultParts): RunResult {
  const { task, log, cwd, now, sandbox, mask } = parts;
  const outcome = endingOf(task);
  const { text, omitted } = log === undefined
    ? { text: "", omitted: task.totalBytes }
    : windows(log, mask);
  const artifact = log?.artifact?.path ?? task.detached?.log;
  const exitCode = outcome.type === "exited" ? outcome.code : null;
  return {
    taskId: task.id,
    sessionId: task.sessionId,
    command: task.command,
    outcome,
    exitCode,
    output: text,
    ...(parts.stderr && { streams: streamsOf(log, parts.stderr, parts) }),
    totalBytes: log?.total ?? task.totalBytes,
    omittedBytes: omitted,
    ...(artifact === undefined ? {} : { artifact }),
    cwd: { before: cwd, after: task.cwdAfter ?? cwd },
    durationMs: task.durationMs ?? soFar(task, now),
    leftovers: task.leftovers,
    ...defined({ decision: task.decision, refusal: refusal(task, text, sandbox) }),
  };
}

/** How a task ended, or how it went on without its caller. */
export function endingOf(task: Task): Ending {
  if (task.outcome !== undefined) return task.outcome;
  if (task.promotedBy !== undefined && !hasEnded(task)) {
    return { type: "promoted", by: task.promotedBy };
  }
  if (task.detached !== undefined && !hasEnded(task)) {
    const { pid, log, pidFile } = task.detached;
    return { type: "detached", pid, log, pidFile };
  }
  if (task.cancelledBy !== undefined) return { type: "aborted", by: task.cancelledBy };
  const reason = task.reason ?? "The log does not say why";
  const type = task.status === "denied" || task.status === "rejected" ? task.status : "failed";
  return { type, reason };
}

function soFar(task: Task, now: number): number {
  // The clock of the log may be set back meanwhile.
  return task.startedAt === undefined || hasEnded(task) ? 0 : Math.max(0, now - task.startedAt);
}

/** The beginning and the end, as far as memory has them, cut between characters. */
function windows(log: ShownOutput, mask: Mask | undefined): { text: string; omitted: number } {
  const { total } = log;
  // What a window cuts is hidden as well: the rest of it may be in no memory.
  const peek = (from: number, to: number) => {
    const bytes = log.peek(from, to);
    return bytes && (mask?.bytes(bytes, { from }) ?? bytes);
  };
  const whole = peek(0, total);
  if (whole !== undefined) return { text: decodedWindow(whole, { last: true }).text, omitted: 0 };
  const remembered = inMemory(log);
  // Either may be missing: a limit may be 0, and a log may have been released.
  const first = remembered.find(({ from }) => from === 0);
  const last = remembered.find(({ to }) => to === total);
  const start = decodedWindow(peek(0, first?.to ?? 0) ?? NOTHING);
  const tailFrom = last?.from ?? total;
  const end = decodedWindow(peek(tailFrom, total) ?? NOTHING, { from: tailFrom, last: true });
  const omitted = end.from - start.to;
  const notice = `\n[${omitted} of ${total} bytes omitted, from byte ${start.to} on${
    kept(log, start.to)
  }]\n`;
  return { text: `${start.text}${notice}${end.text}`, omitted };
}

/** What came from each stream, as far as memory has it and events have said it. */
function streamsOf(
  log: ShownOutput | undefined,
  stderr: readonly ByteRange[],
  { task: { totalBytes: total }, mask }: Pick<ResultParts, "task" | "mask">,
): Record<OutputStream, string> {
  const kept = joined(log === undefined ? [] : inMemory(log));
  const textOf = (stream: OutputStream) => {
    const omitted = (from: number, to: number) => {
      const errors = stderr.map((range) => Math.min(range.to, to) - Math.max(range.from, from))
        .reduce((sum, bytes) => sum + Math.max(0, bytes), 0);
      const bytes = stream === "stderr" ? errors : Math.max(0, to - from) - errors;
      return bytes === 0 ? "" : `\n[${bytes} bytes omitted]\n`;
    };
    let text = "";
    let at = 0;
    for (const { from, to } of kept) {
      const end = Math.max(from, Math.min(to, total));
      const read = { from, to: end, bytes: log?.peek(from, end) ?? NOTHING, gaps: [] };
      const { bytes } = ofStream(read, stderr, stream);
      const shown = mask?.bytes(bytes, { from }) ?? bytes;
      text += omitted(at, from) + decodedWindow(shown, { from, last: true }).text;
      at = end;
    }
    return text + omitted(at, total);
  };
  return { stdout: textOf("stdout"), stderr: textOf("stderr") };
}

function inMemory(log: ShownOutput): readonly ByteRange[] {
  return log.sources(0).filter(({ stored }) => !stored);
}

/** Where a reader finds what is omitted from an offset on, and how. */
function kept({ artifact, total }: ShownOutput, from: number): string {
  if (artifact === undefined) return "";
  const { path, bytes } = artifact;
  const how = bytes > from ? `; read on with: ${readOn([path], { byte: from })}` : "";
  return `; ${bytes >= total ? "all of it is" : `the first ${bytes} are`} in ${path}${how}`;
}

const NOTHING = new Uint8Array(0);
