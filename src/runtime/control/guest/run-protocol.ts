import * as v from "valibot";
import type { CommandId, SessionId } from "../../../event/command.ts";
import type { Recorded } from "../../../event/event.ts";
import type { ShellPart } from "../../../event/execution.ts";
import type { AskId, Concern } from "../../../event/permission.ts";
import { absolute, mode, ruleLists } from "../../permission-schema.ts";
import type { Permission } from "../../permits.ts";
import type { RunOptions } from "../../request.ts";
import { sessionName } from "../session-name.ts";

/** Which session a command is to run in. */
export interface SessionWish {
  /** Absent: the one that was used last. */
  readonly name?: SessionId;
  /** What to do about one whose host is gone: begin anew under its name, or go on where it was. */
  readonly gone: "anew" | "resume";
  /** Where a session begins that is new, absolute. */
  readonly cwd: string;
}

/** A command for the host of a session, with all that its caller says about it. */
export interface RunRequest {
  readonly op: "run";
  readonly command: string;
  readonly session: SessionWish;
  /** What is told while it runs: its output, its events, or only its end. */
  readonly show: "output" | "events" | "end";
  /** Whether the caller can ask a person. */
  readonly asks: boolean;
  readonly options: Pick<RunOptions, "cwd" | "env" | "timeoutMs" | "idleTimeoutMs" | "detach">;
  readonly permission: Omit<Permission, "ask">;
}

/** How a session comes to be used: it was open, or it is opened; by an old name, `anew` or `resumed`. */
export type SessionBeginning = "joined" | "opened" | "anew" | "resumed";

/** What a host tells whoever asked for a command, before it answers with the result. */
export type RunNews =
  | {
    readonly type: "session";
    readonly sessionId: SessionId;
    readonly began: SessionBeginning;
    readonly cwd: string;
    /** Where the earlier session of the name was. */
    readonly earlierCwd?: string;
  }
  /** The session's shell is another one than before. */
  | { readonly type: "reset"; readonly reason: string; readonly lost: readonly ShellPart[] }
  | { readonly type: "accepted"; readonly taskId: CommandId }
  /** The next bytes of its output. */
  | { readonly type: "output"; readonly base64: string }
  | { readonly type: "event"; readonly recorded: Recorded }
  | {
    readonly type: "asked";
    readonly askId: AskId;
    readonly command: string;
    readonly cwd: string;
    readonly concerns: readonly Concern[];
  }
  /** The question needs no answer any more. */
  | { readonly type: "withdrawn"; readonly askId: AskId };

const milliseconds = v.pipe(v.number(), v.finite(), v.minValue(0));

/** What a {@linkcode RunRequest} looks like; what its values mean is checked by who uses them. */
export const runRequest: v.GenericSchema<unknown, RunRequest> = v.object({
  op: v.literal("run"),
  command: v.string(),
  session: v.object({
    name: v.exactOptional(sessionName),
    gone: v.picklist(["anew", "resume"]),
    cwd: absolute,
  }),
  show: v.picklist(["output", "events", "end"]),
  asks: v.boolean(),
  options: v.strictObject({
    cwd: v.exactOptional(absolute),
    env: v.exactOptional(v.record(v.string(), v.string())),
    timeoutMs: v.exactOptional(milliseconds),
    idleTimeoutMs: v.exactOptional(milliseconds),
    detach: v.exactOptional(v.boolean()),
  }),
  permission: v.strictObject({
    rules: v.exactOptional(ruleLists),
    mode: v.exactOptional(mode),
    accept: v.exactOptional(v.array(v.string())),
    directories: v.exactOptional(v.array(absolute)),
    workspace: v.exactOptional(absolute),
  }),
});

/** Whether a host of this version can have said so. */
export function isNews(value: unknown): value is RunNews {
  return v.is(NEWS, value);
}

const NEWS = v.variant("type", [
  v.object({
    type: v.literal("session"),
    sessionId: v.string(),
    began: v.picklist(["joined", "opened", "anew", "resumed"]),
    cwd: v.string(),
    earlierCwd: v.exactOptional(v.string()),
  }),
  v.object({ type: v.literal("reset"), reason: v.string(), lost: v.array(v.string()) }),
  v.object({ type: v.literal("accepted"), taskId: v.string() }),
  v.object({ type: v.literal("output"), base64: v.string() }),
  v.object({
    type: v.literal("event"),
    recorded: v.looseObject({ seq: v.number(), at: v.number(), event: v.looseObject({}) }),
  }),
  v.object({
    type: v.literal("asked"),
    askId: v.string(),
    command: v.string(),
    cwd: v.string(),
    concerns: v.array(v.looseObject({ reason: v.string() })),
  }),
  v.object({ type: v.literal("withdrawn"), askId: v.string() }),
]);
