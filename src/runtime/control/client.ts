import * as v from "valibot";
import type { CommandId, SessionId } from "../../event/command.ts";
import type { Answer, AskId } from "../../event/permission.ts";
import { askLine } from "../../platform/control/ask-line.ts";
import { type Clock, systemClock } from "../../platform/clock.ts";
import { ownerOf } from "../../platform/owner/owner-lock.ts";
import { threadsAtWork } from "../../platform/process/threads-at-work.ts";
import type { Task } from "../../task/task.ts";
import { areKnownSessions, type KnownSession } from "./known-sessions.ts";
import {
  CONTROL_VERSION,
  type ControlAnswers,
  type ControlRequest,
  type ReadAnswer,
  type StopAnswer,
} from "./protocol.ts";
import { unlessSilent } from "./unless-silent.ts";

/** Which part of a task's output is wanted. */
export interface ReadRange {
  /** The first offset; 0 when absent. */
  readonly from?: number;
  /** How many bytes at most; 64 KiB when absent, never more than 1 MiB. */
  readonly maxBytes?: number;
  /** How long to wait, in milliseconds; 0 when absent, never more than a minute. */
  readonly waitMs?: number;
  /** What to wait for: new bytes, or the end of the output; `more` when absent. */
  readonly until?: "more" | "end";
}

/** The owner answered, and cannot do what it was asked for. */
export class RefusedError extends Error {
  /** It is about to leave the directory: the next owner may be able to. */
  readonly closing: boolean;

  constructor(message: string, { closing = false }: { readonly closing?: boolean } = {}) {
    super(message);
    this.name = "RefusedError";
    this.closing = closing;
  }
}

/** The owner of a directory, asked from another process. */
export interface Owner {
  readonly pid: number;
  /** Its tasks, in the order in which they were asked for. */
  ps(): Promise<readonly Task[]>;
  /** A part of a task's output. */
  read(taskId: CommandId, range?: ReadRange): Promise<ReadAnswer>;
  /** End a task; answers once it has ended. */
  stop(taskId: CommandId): Promise<StopAnswer>;
  /** The sessions that somebody named, the one that was used last first. */
  sessions(): Promise<readonly KnownSession[]>;
  /** End what runs in a session, and the session; only of an owner that runs commands for others. */
  endSession(name: SessionId): Promise<void>;
  /** Answer a question about a command that it was asked to run. */
  answer(askId: AskId, answer: Answer): Promise<void>;
  /** Have it end, with all that it runs; only an owner that runs commands for others. Answers before it does. */
  end(): Promise<void>;
}

/** How often an owner is tried that does not listen yet, and the pause between, in milliseconds. */
const TRIES = 20;
const PAUSE_MS = 100;
/** For how much of one a try counts that finds an owner at work. */
const AT_WORK = 0.1;

/**
 * The runtime that owns a directory now; `undefined` when none does, or none does any more.
 *
 * Its methods reject with the reason when it cannot answer, which is a {@linkcode RefusedError} if it says so itself.
 */
export async function ownerAt(
  directory: string,
  clock: Clock = systemClock,
): Promise<Owner | undefined> {
  const owner = await ownerOf(directory);
  if (owner === undefined) return undefined;

  const ask = async <Op extends ControlRequest["op"]>(
    op: Op,
    request: Readonly<Record<string, unknown>>,
    isAnswer: (value: unknown) => value is ControlAnswers[Op],
  ): Promise<ControlAnswers[Op]> => {
    const line = JSON.stringify({ v: CONTROL_VERSION, op, ...request });
    const answer: unknown = JSON.parse(await reach(directory, line, clock));
    if (v.is(REFUSAL, answer)) {
      throw new RefusedError(answer.error, { closing: answer.closing ?? false });
    }
    if (v.is(ANSWER, answer) && isAnswer(answer.result)) return answer.result;
    throw new Error(`Cannot ask the owner of "${directory}": it answers in another language`);
  };

  return {
    pid: owner.pid,
    ps: () => ask("ps", {}, isTasks),
    read: (taskId, range = {}) => ask("read", { taskId, ...range }, isRead),
    stop: (taskId) => ask("stop", { taskId }, isStop),
    sessions: () => ask("sessions", {}, areKnownSessions),
    endSession: async (name) => void await ask("endSession", { name }, isTrue),
    answer: async (askId, answer) => void await ask("answer", { askId, answer }, isTrue),
    end: async () => void await ask("end", {}, isTrue),
  };
}

/** One that has just begun does not listen yet. */
async function reach(directory: string, line: string, clock: Clock): Promise<string> {
  let cause: unknown;
  let state = "there is none any more";
  for (let attempt = 0; attempt < TRIES;) {
    const owner = await ownerOf(directory);
    if (owner === undefined) break;
    const { pid, socket } = owner;
    state = `process ${pid} does not listen`;
    if (socket !== undefined) {
      try {
        const ask = (signal: AbortSignal) => askLine(socket, line, { signal });
        return await unlessSilent(ask, { owner: { pid, socket }, clock });
      } catch (failure) {
        cause = failure;
        if (!isAbsent(failure)) {
          state = failure instanceof Error ? failure.message : String(failure);
          break;
        }
      }
    }
    await new Promise<void>((resolve) => void clock.after(PAUSE_MS, resolve));
    // It may have a long log to read, or no processor to begin on.
    attempt += threadsAtWork(pid) === 0 ? 1 : AT_WORK;
  }
  throw new Error(`Cannot ask the owner of "${directory}": ${state}`, { cause });
}

function isAbsent(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause &&
    (cause.code === "ENOENT" || cause.code === "ECONNREFUSED");
}

const REFUSAL = v.object({
  ok: v.literal(false),
  error: v.string(),
  closing: v.optional(v.boolean()),
});
const ANSWER = v.object({ ok: v.literal(true), result: v.unknown() });

function isTrue(value: unknown): value is true {
  return value === true;
}

function isTasks(value: unknown): value is readonly Task[] {
  return v.is(v.array(v.looseObject({ id: v.string(), status: v.string() })), value);
}

function isRead(value: unknown): value is ReadAnswer {
  const numbers = { from: v.number(), to: v.number(), total: v.number() };
  const range = v.object({ from: v.number(), to: v.number() });
  return v.is(
    v.object({ ...numbers, base64: v.string(), gaps: v.array(range), ended: v.boolean() }),
    value,
  );
}

function isStop(value: unknown): value is StopAnswer {
  return v.is(
    v.looseObject({ taskId: v.string(), outcome: v.looseObject({ type: v.string() }) }),
    value,
  );
}
