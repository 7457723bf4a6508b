import type { Variables } from "../../env/build-environment.ts";
import type { SessionId } from "../../event/command.ts";
import type { SessionPrepared } from "../../event/session.ts";
import type { RunOptions } from "./request.ts";
import type { RunResult } from "./result.ts";

/** A session that stays, before its first command. */
export interface StartingSession {
  readonly sessionId: SessionId;
  readonly cwd: string;
  /** The owner of its first command. */
  readonly owner?: string;
}

/** What a hook of sessions can depend on, and do. */
export interface OnSessionFacts {
  /** `resume`: the log has a session of this name, by an earlier runtime. */
  readonly reason: SessionPrepared["reason"];
  /** Aborts when the time is over, or the session has closed. */
  readonly signal: AbortSignal;
  /** Run a command in the session, before those that wait; it is judged as any other. */
  readonly run: (command: string, options?: OnSessionRunOptions) => Promise<RunResult>;
}

/** How a command that prepares a session is run. */
export type OnSessionRunOptions = Omit<RunOptions, "sessionId" | "owner" | "overlap" | "signal">;

/** Prepares a session that stays; what it answers are variables for all of its commands. */
export type OnSession = (
  session: StartingSession,
  facts: OnSessionFacts,
) => Variables | void | Promise<Variables | void>;
