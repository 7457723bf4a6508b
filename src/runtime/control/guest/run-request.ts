import * as v from "valibot";
import type { SessionId } from "../../../event/command.ts";
import type { Recorded } from "../../../event/event.ts";
import { absolute, sentPermission } from "../../permission/permission-schema.ts";
import type { Permission } from "../../permission/permits.ts";
import { milliseconds } from "../../call/fields.ts";
import type { RunOptions } from "../../call/request.ts";
import { sessionName } from "../session-name.ts";

/** Which session a command is to run in. */
export interface SessionRequest {
  /** Absent: the one that was used last. */
  readonly name?: SessionId;
  /** What to do when its host is gone: begin anew under its name, or continue where it was. */
  readonly gone: "anew" | "resume";
  /** Where a session begins that is new, absolute. */
  readonly cwd: string;
}

/** A command for the host of a session. */
export interface RunRequest {
  readonly command: string;
  readonly session: SessionRequest;
  /** Its output is sent. */
  readonly output: boolean;
  /** Its events and those of its session are sent, and not only that the session has another shell. */
  readonly events: boolean;
  readonly asks: boolean;
  readonly options: Pick<RunOptions, "cwd" | "env" | "timeoutMs" | "idleTimeoutMs" | "detach">;
  readonly permission: Omit<Permission, "ask">;
}

/** How a session begins: it was open, or it is opened; under an old name `anew` or `resumed`. */
export type SessionBeginning = "joined" | "opened" | "anew" | "resumed";

/** What a host sends before it answers with the result. */
export type RunUpdate =
  | {
    readonly type: "session";
    readonly sessionId: SessionId;
    readonly began: SessionBeginning;
    readonly cwd: string;
    /** Where the earlier session of the name was. */
    readonly earlierCwd?: string;
  }
  /** The next bytes of its output. */
  | { readonly type: "output"; readonly base64: string }
  | { readonly type: "event"; readonly recorded: Recorded };

/** Whether a host of this version can have sent it. */
export function isRunUpdate(value: unknown): value is RunUpdate {
  return v.is(v.looseObject({ type: v.picklist(["session", "output", "event"]) }), value);
}

/** The shape of a {@linkcode RunRequest}; the runtime checks what its values mean. */
export const runRequest: v.GenericSchema<RunRequest> = v.object({
  command: v.string(),
  session: v.object({
    name: v.exactOptional(sessionName),
    gone: v.picklist(["anew", "resume"]),
    cwd: absolute,
  }),
  output: v.boolean(),
  events: v.boolean(),
  asks: v.boolean(),
  options: v.strictObject({
    cwd: v.exactOptional(absolute),
    env: v.exactOptional(v.record(v.string(), v.string())),
    timeoutMs: v.exactOptional(milliseconds),
    idleTimeoutMs: v.exactOptional(milliseconds),
    detach: v.exactOptional(v.boolean()),
  }),
  permission: sentPermission,
});
