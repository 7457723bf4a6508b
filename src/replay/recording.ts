import type { CommandId, CommandInputWritten } from "../event/command.ts";
import { endsCommand, type Recorded } from "../event/event.ts";
import type { ExecutionEvent } from "../event/execution.ts";
import type { OutputAppended, OutputSpilled } from "../event/output.ts";
import type { OutputStream } from "../stream/bytes.ts";
import { shownValue } from "../value/shown.ts";
import { bytesOf } from "../text/decode/inline.ts";
import { cannotRead, LogError } from "../event/log/log-error.ts";
import { describeDamage, type LogDamage, readLog } from "../event/log/read-log.ts";
import { readWholeFile } from "../platform/file/file-bytes.ts";
import { recordedFile } from "../platform/file/recorded-file.ts";

/** What a command did, as its log records it: enough to repeat it without a process. */
export interface Recording {
  readonly commandId: CommandId;
  /** The line that ran. */
  readonly command: string;
  /** The line as it was asked for, when that was another one. */
  readonly requested?: string;
  readonly cwd: string;
  readonly steps: readonly RecordedStep[];
}

/** Something that happened, by milliseconds from the command's start. */
export type RecordedStep =
  | {
    readonly atMs: number;
    readonly type: "bytes";
    readonly bytes: Uint8Array;
    /** Where they came from, where the command kept that apart. */
    readonly stream?: OutputStream;
  }
  /** Something was written to it; what it was is not recorded. */
  | { readonly atMs: number; readonly type: "input" }
  | { readonly atMs: number; readonly type: "event"; readonly event: ExecutionEvent };

/** Output options under which the events themselves hold all bytes, up to 64 MiB a command. */
export const RECORD: { readonly headBytes: number; readonly inlineBytes: number } = {
  headBytes: 2 ** 26,
  inlineBytes: 2 ** 26,
};

/**
 * Collect the recordings of all commands that were started, in the order of their starts; detached
 * ones have none, as their output is in no log.
 *
 * @param events A log from its beginning.
 * @param readFile Reads the file that a command's output was spilled to.
 * @throws {TypeError} When something is no event.
 * @throws {Error} When events of a command are missing, or neither the log nor a file holds all of
 *   its bytes.
 */
export function recordingsOf(
  events: Iterable<Recorded>,
  readFile: (path: string) => Uint8Array | undefined = () => undefined,
): Recording[] {
  const drafts = new Map<CommandId, Draft>();
  const requests = new Map<CommandId, string>();
  for (const recorded of events) {
    if (typeof recorded?.event?.type !== "string") {
      throw new TypeError(`Cannot record ${shownValue(recorded)}: it is no recorded event`);
    }
    const { at, event } = recorded;
    switch (event.type) {
      case "env.built": {
        const { commandId, invocation: { command, cwd } } = event;
        const requested = requests.get(commandId);
        drafts.set(commandId, {
          commandId,
          command,
          ...(requested !== undefined && requested !== command && { requested }),
          cwd,
          steps: [],
          builtAt: at,
        });
        break;
      }
      case "command.requested":
        requests.set(event.commandId, event.command);
        break;
      case "task.detached":
        drafts.delete(event.commandId);
        break;
      case "command.inputWritten":
      case "output.appended":
      case "output.spilled":
      case "execution.fellBack":
      case "execution.started":
      case "execution.stopping":
      case "execution.refused":
      case "execution.resized":
      case "execution.waitingForInput":
      case "execution.wentOn":
      case "execution.exited":
      case "execution.closed":
      case "execution.failed":
      case "task.lost": {
        const draft = drafts.get(event.commandId);
        if (draft === undefined && !requests.has(event.commandId)) {
          throw new Error(`Cannot replay "${event.commandId}": the events begin after its start`);
        }
        draft?.steps.push({ atMs: at - draft.builtAt, event });
        break;
      }
      default:
    }
  }
  return [...drafts.values()]
    .filter(({ steps }) => steps.length > 0)
    .map((draft) => recordingOf(draft, readFile));
}

interface Draft extends Omit<Recording, "steps"> {
  readonly steps: {
    readonly atMs: number;
    readonly event: ExecutionEvent | CommandInputWritten | OutputAppended | OutputSpilled;
  }[];
  readonly builtAt: number;
}

function recordingOf(
  { steps, ...what }: Draft,
  readFile: (path: string) => Uint8Array | undefined,
): Recording {
  let path: string | undefined;
  for (const { event } of steps) if (event.type === "output.spilled") path = event.path;
  let file: Uint8Array | undefined;
  const fail = (state: string) => new Error(`Cannot replay "${what.command}": ${state}`);
  let total = 0;
  const bytesAt = ({ from, to, inline }: OutputAppended): Uint8Array => {
    if (from !== total) throw fail(`no event has its output from byte ${total} to ${from}`);
    total = to;
    if (inline !== undefined) return bytesOf(inline);
    if (path !== undefined) file ??= readFile(path);
    const bytes = file?.subarray(from, to);
    if (bytes?.length === to - from) return bytes;
    throw fail(
      `neither the log nor ${path === undefined ? "a file" : `"${path}"`} holds its output ` +
        `from byte ${from} to ${to}; ` +
        "record it with the output options RECORD",
    );
  };
  const { builtAt: _, ...recording } = what;
  const played = steps.flatMap(({ atMs, event }): RecordedStep[] => {
    if (event.type === "output.spilled") return [];
    if (event.type === "command.inputWritten") return [{ atMs, type: "input" }];
    if (event.type !== "output.appended") return [{ atMs, type: "event", event }];
    const bytes = bytesAt(event);
    if (event.stderr === undefined) return [{ atMs, type: "bytes", bytes }];
    return byStream(event).map(({ from, to, stream }) => {
      const part = bytes.subarray(from - event.from, to - event.from);
      return { atMs, type: "bytes", bytes: part, stream };
    });
  });
  const problem = problemOf(played);
  if (problem !== undefined) throw fail(problem);
  return { ...recording, steps: played };
}

/** The parts of a range in their order, each with the stream that it came from. */
function byStream({ from, to, stderr = [] }: OutputAppended) {
  let at = from;
  return [...stderr, { from: to, to }].flatMap((range) => {
    const before = { from: at, to: range.from, stream: "stdout" as const };
    at = range.to;
    return [before, { ...range, stream: "stderr" as const }].filter(({ from, to }) => from < to);
  });
}

/**
 * Why steps cannot be played; `undefined` when they can. That there is no end is no problem: the
 * command is lost then.
 */
export function problemOf(steps: readonly RecordedStep[]): string | undefined {
  let started = false;
  let ended = false;
  for (const step of steps) {
    if (step.type === "input") continue;
    if (step.type === "bytes") {
      if (!started) return `it has output before "execution.started"`;
      continue;
    }
    const { event } = step;
    if (event.type === "execution.started") started = true;
    if (event.type === "execution.exited" && !started) {
      return `it has "execution.exited" before "execution.started"`;
    }
    if (event.type === "execution.closed" && !ended) {
      return `it has "execution.closed" before "execution.exited"`;
    }
    if (endsCommand(event)) ended = true;
  }
  return undefined;
}

/**
 * Read the recordings of a log on disk; output that is not in the log is read from its files.
 *
 * @param path The directory or the file of the log.
 * @throws {LogError} When it cannot be read, holds nothing, or has damage or a gap anywhere.
 * @throws {Error} When it does not hold all events and all output of a command.
 */
export async function readCassette(path: string): Promise<Recording[]> {
  const events: Recorded[] = [];
  const onDamage = (damage: LogDamage) => {
    throw new LogError("damaged", `${describeDamage(damage)}; restore it, or record it again`);
  };
  for await (const recorded of readLog(path, { onDamage })) events.push(recorded);
  if (events.length === 0) throw cannotRead(path, "notALog", "no event is in it");
  return recordingsOf(events, (file) => readWholeFile(recordedFile(path, file)));
}
