import type { Origin, SessionId } from "../event/command.ts";
import { messageOf } from "../platform/failure.ts";
import type { ExecutorPreference } from "../session/choose-executor.ts";
import { checkRequest, type RunOptions } from "./call/request.ts";

/** A session that begins. */
export interface SessionStart {
  readonly sessionId: SessionId;
  /** Where it begins. */
  readonly cwd: string;
  /** Of its first command. */
  readonly origin: Origin;
  /** Of its first command. */
  readonly owner?: string;
  /** There was one of the same name before, in this runtime or in its log. */
  readonly resumed: boolean;
}

/** The line that is run first in a session; `undefined`: none. */
export type OnSession = (start: SessionStart) => string | undefined;

/** Whether a command of a session finds what an earlier one has prepared. */
export function isInSession(
  { executor, dialect = "bash", pty = false, origin = "model" }: RunOptions,
  usual: ExecutorPreference | ((origin: Origin) => ExecutorPreference) = "process",
): boolean {
  if (dialect !== "bash") return false;
  if (pty !== false) return executor === "shell";
  return (executor ?? (typeof usual === "function" ? usual(origin) : usual)) !== "process";
}

/**
 * Ask for the line that is run first in a session.
 *
 * @throws {TypeError} When the function throws, or answers no line that can be run.
 */
export function firstLine(onSession: OnSession, start: SessionStart): string | undefined {
  try {
    const line = onSession(start);
    const answer: unknown = line;
    if (answer instanceof Promise) {
      // Its failure would end the process.
      answer.catch(() => {});
      throw new TypeError("it answered a promise, not a line");
    }
    if (line !== undefined) checkRequest(line, {});
    return line;
  } catch (cause) {
    const cannot = `Cannot begin session "${start.sessionId}" by onSession`;
    throw new TypeError(`${cannot}: ${messageOf(cause)}`, { cause });
  }
}
