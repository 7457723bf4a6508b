import type { SessionId, ShellState } from "./command.ts";
import type { ShellPart } from "./execution.ts";

/** A session began. */
export interface SessionOpened {
  readonly type: "session.opened";
  readonly sessionId: SessionId;
  readonly cwd: string;
  /** The busy session that it stands in for, for one command. */
  readonly insteadOf?: SessionId;
}

/** The session's working directory changed. */
export interface SessionMoved {
  readonly type: "session.moved";
  readonly sessionId: SessionId;
  readonly cwd: string;
  /** Why, if no command asked for it: the directory was removed. */
  readonly reason?: string;
}

/** What the session's shell brings to the next line has changed. */
export interface SessionStateReported {
  readonly type: "session.stateReported";
  readonly sessionId: SessionId;
  readonly state: ShellState;
}

/** The session's shell was replaced. */
export interface SessionReset {
  readonly type: "session.reset";
  readonly sessionId: SessionId;
  readonly reason: string;
  /** What it had and has no more; the directory, and exported variables where they are not named here, were restored. */
  readonly lost: readonly ShellPart[];
}

/** A session ended and takes no more commands. */
export interface SessionClosed {
  readonly type: "session.closed";
  readonly sessionId: SessionId;
  readonly reason: string;
}

/** The events of the folder `session`. */
export type SessionEvent =
  | SessionOpened
  | SessionMoved
  | SessionStateReported
  | SessionReset
  | SessionClosed;
