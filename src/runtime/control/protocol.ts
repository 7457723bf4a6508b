import * as v from "valibot";
import type { RequestKind } from "../../control/method.ts";
import type { CommandId, Order, SessionId } from "../../event/command.ts";
import type { Leftover } from "../../event/leftover.ts";
import type { Answer } from "../../event/permission.ts";
import { ANSWER } from "../../permission/answer.ts";
import type { ReadResult } from "../../output/read/read-bytes.ts";
import type { Question } from "../../permission/asker.ts";
import type { Task } from "../../task/task-view.ts";
import { wholeNumber } from "../call/fields.ts";
import type { Ending, RunResult } from "../call/result.ts";
import type { ReadTaskOptions } from "../output/readers.ts";
import { type RunRequest, runRequest } from "./guest/run-request.ts";
import type { KnownSession } from "./known-sessions.ts";
import { sessionName } from "./session-name.ts";

/** The version of what is sent over a control socket; an owner serves its own version alone. */
export const CONTROL_VERSION = 4;

/** Longer than what a system takes as arguments of a program, in bytes. */
export const MAX_REQUEST_BYTES: number = 4 * 1024 * 1024;

/** A part of a task's output; never more than 1 MiB. */
export type ReadRange = Pick<ReadTaskOptions, "from" | "maxBytes">;

/** A part of a task's output, as JSON. */
export interface ReadAnswer extends Omit<ReadResult, "bytes"> {
  /** The bytes of the range without those of its gaps. */
  readonly base64: string;
}

/** How a task ended that was to be stopped. */
export interface StopAnswer {
  readonly taskId: CommandId;
  readonly outcome: Ending;
  readonly leftovers: readonly Leftover[];
}

/** A question about a command, for the person who asked for it. */
export type AskRequest = Pick<Order, "command" | "cwd"> & Pick<Question, "concerns">;

const nothing = v.strictObject({});
const done = v.literal(true);
const taskId = v.pipe(v.string(), v.nonEmpty(), v.maxLength(256));

type Nothing = Readonly<Record<never, never>>;
type TaskRequest = { readonly taskId: CommandId };

/** What the owner of a directory can be asked; the last ones only where it runs commands for others. */
export const control: {
  /** The first request on each connection: it shows that the client is in no sandbox. */
  readonly ping: RequestKind<
    { readonly version: number; readonly proof?: string },
    { readonly guests: boolean }
  >;
  readonly ps: RequestKind<Nothing, readonly Task[]>;
  readonly sessions: RequestKind<Nothing, readonly KnownSession[]>;
  readonly read: RequestKind<
    TaskRequest & ReadRange,
    ReadAnswer,
    TaskRequest & Required<ReadRange>
  >;
  readonly stop: RequestKind<TaskRequest, StopAnswer>;
  readonly run: RequestKind<RunRequest, RunResult>;
  readonly endSession: RequestKind<{ readonly name: SessionId }, true>;
  readonly end: RequestKind<Nothing, true>;
} = {
  ping: {
    method: "ping",
    params: v.object({ version: v.number(), proof: v.exactOptional(v.string()) }),
    result: asTyped(),
  },
  ps: { method: "ps", params: nothing, result: asTyped() },
  sessions: { method: "sessions", params: nothing, result: asTyped() },
  read: {
    method: "read",
    params: v.object({
      taskId,
      from: v.exactOptional(wholeNumber, 0),
      maxBytes: v.exactOptional(v.pipe(wholeNumber, v.minValue(1)), 64 * 1024),
    }),
    result: asTyped(),
  },
  stop: { method: "stop", params: v.object({ taskId }), result: asTyped() },
  run: { method: "run", params: runRequest, result: asTyped() },
  endSession: { method: "endSession", params: v.object({ name: sessionName }), result: done },
  end: { method: "end", params: nothing, result: done },
};

/** What an owner asks a client whose command it runs. */
export const ask: RequestKind<AskRequest, Answer> = {
  method: "ask",
  params: v.custom<AskRequest>(() => true),
  result: ANSWER,
};

/** An owner of the same version sends what its types say. */
function asTyped<T>(): v.GenericSchema<unknown, T> {
  return v.custom<T>(() => true);
}
