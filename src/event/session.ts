import type { SessionId } from "./command.ts";

/** A session began. */
export interface SessionOpened {
  readonly type: "session.opened";
  readonly sessionId: SessionId;
  readonly cwd: string;
}

/** The session's working directory changed. */
export interface SessionMoved {
  readonly type: "session.moved";
  readonly sessionId: SessionId;
  readonly cwd: string;
}

/** A session ended and takes no more commands. */
export interface SessionClosed {
  readonly type: "session.closed";
  readonly sessionId: SessionId;
  readonly reason: string;
}

/** All that the folder `session` tells of. */
export type SessionEvent = SessionOpened | SessionMoved | SessionClosed;
