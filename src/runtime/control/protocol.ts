import * as v from "valibot";
import type { CommandId } from "../../event/command.ts";
import type { Leftover } from "../../event/leftover.ts";
import type { Task } from "../../task/task.ts";
import type { Ending, RunResult } from "../result.ts";
import type { Answer, AskId } from "../../event/permission.ts";
import type { SessionId } from "../../event/command.ts";
import type { KnownSession } from "./known-sessions.ts";
import { type RunRequest, runRequest } from "./guest/run-protocol.ts";
import { sessionName } from "./session-name.ts";

/** The version of what is said over a control socket; an owner answers its own version alone. */
export const CONTROL_VERSION = 1;

/** The longest request, in bytes: more than a system takes as arguments of a program. */
export const LONGEST_REQUEST: number = 4 * 1024 * 1024;

/** How much one answer carries at most, in bytes. */
export const MOST_READ_BYTES: number = 1024 * 1024;

/** How long an answer is held back for what a read waits for at most, in milliseconds. */
export const LONGEST_WAIT_MS = 60_000;

/** What an owner is asked. */
export type ControlRequest =
  | { readonly op: "ping" }
  | { readonly op: "hello" }
  | { readonly op: "ps" }
  | { readonly op: "sessions" }
  | {
    readonly op: "read";
    readonly taskId: CommandId;
    readonly from: number;
    readonly maxBytes: number;
    /** How long to wait, in milliseconds. */
    readonly waitMs: number;
    /** What to wait for: new bytes, or the end of the output. */
    readonly until: "more" | "end";
  }
  | { readonly op: "stop"; readonly taskId: CommandId }
  | RunRequest
  | { readonly op: "answer"; readonly askId: AskId; readonly answer: Answer }
  | { readonly op: "endSession"; readonly name: SessionId }
  | { readonly op: "end" };

/** Who answers, and whether it runs commands for others. */
export interface HelloAnswer {
  readonly runs: "yes" | "no" | "ending";
}

/** A part of a task's output, as JSON. */
export interface ReadAnswer {
  readonly from: number;
  /** Exclusive; where to read on. */
  readonly to: number;
  /** The bytes of the range without those of its gaps. */
  readonly base64: string;
  /** Which parts of the range are gone. */
  readonly gaps: readonly { readonly from: number; readonly to: number }[];
  /** How many bytes there were. */
  readonly total: number;
  /** Nothing follows `total`. */
  readonly ended: boolean;
}

/** How a task ended that was to be stopped. */
export interface StopAnswer {
  readonly taskId: CommandId;
  readonly outcome: Ending;
  /** Processes of it that live on. */
  readonly leftovers: readonly Leftover[];
}

/** What is answered to each kind of request. */
export interface ControlAnswers {
  readonly ping: true;
  readonly hello: HelloAnswer;
  readonly sessions: readonly KnownSession[];
  readonly run: RunResult;
  readonly answer: true;
  readonly endSession: true;
  readonly end: true;
  readonly ps: readonly Task[];
  readonly read: ReadAnswer;
  readonly stop: StopAnswer;
}

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const taskId = v.pipe(v.string(), v.nonEmpty(), v.maxLength(256));
const REQUEST = v.variant("op", [
  v.object({ op: v.literal("ps") }),
  v.object({
    op: v.literal("read"),
    taskId,
    from: v.optional(count, 0),
    maxBytes: v.optional(v.pipe(count, v.minValue(1)), 64 * 1024),
    waitMs: v.optional(count, 0),
    until: v.optional(v.picklist(["more", "end"]), "more"),
  }),
  v.object({ op: v.literal("stop"), taskId }),
  v.object({ op: v.literal("ping") }),
  v.object({ op: v.literal("hello") }),
  v.object({ op: v.literal("sessions") }),
  v.object({
    op: v.literal("answer"),
    askId: taskId,
    answer: v.picklist(["once", "session", "always", "deny"]),
  }),
  v.object({ op: v.literal("endSession"), name: sessionName }),
  v.object({ op: v.literal("end") }),
]);

/**
 * Read a line as a request.
 *
 * @throws {Error} When it is none, or one of another version.
 */
export function readRequest(line: string): ControlRequest {
  const value = parse(line);
  if (!v.is(v.object({ v: v.number() }), value)) {
    throw new Error(cannot(line, 'it is no object with a version "v"'));
  }
  if (value.v !== CONTROL_VERSION) {
    throw new Error(
      cannot(line, `it is of version ${value.v}, this owner speaks ${CONTROL_VERSION}`),
    );
  }
  const schema = v.is(v.object({ op: v.literal("run") }), value) ? runRequest : REQUEST;
  const { success, output, issues } = v.safeParse<typeof runRequest | typeof REQUEST>(
    schema,
    parse(line),
  );
  if (success) return output;
  const [{ message }] = issues;
  throw new Error(cannot(line, `${v.getDotPath(issues[0]) ?? "it"}: ${message}`));
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new Error(cannot(line, "it is no JSON"));
  }
}

function cannot(line: string, state: string): string {
  const shown = line.length > 80 ? `${line.slice(0, 80)}…` : line;
  return `Cannot answer ${JSON.stringify(shown)}: ${state}`;
}
