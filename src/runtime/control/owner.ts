import type { RequestSender } from "../../control/method.ts";
import type { CommandId, SessionId } from "../../event/command.ts";
import { type Clock, systemClock } from "../../platform/clock.ts";
import { ownerOf } from "../../platform/owner/owner-lock.ts";
import type { Task } from "../../task/task.ts";
import { withOwner } from "./connect-owner.ts";
import type { KnownSession } from "./known-sessions.ts";
import { control, type ReadAnswer, type ReadRange, type StopAnswer } from "./protocol.ts";

/** The owner of a directory, asked from another process. */
export interface Owner {
  readonly pid: number;
  /** Its tasks, in the order in which they were asked for. */
  ps(): Promise<readonly Task[]>;
  /** A part of a task's output. */
  read(taskId: CommandId, range?: ReadRange): Promise<ReadAnswer>;
  /** End a task; answers once it has ended. */
  stop(taskId: CommandId): Promise<StopAnswer>;
  /** The sessions with a name, the one that was used last first. */
  sessions(): Promise<readonly KnownSession[]>;
  /** End what runs in a session, and the session; only of an owner that runs commands for others. */
  endSession(name: SessionId): Promise<void>;
  /** End it with all that it runs; only an owner that runs commands for others. Answers before it ends. */
  end(): Promise<void>;
}

/**
 * The runtime that owns a directory now; `undefined` when none does, or none does any more.
 *
 * Its methods reject with the reason when it cannot answer: a {@linkcode RefusedError} if it says so itself.
 */
export async function ownerAt(
  directory: string,
  clock: Clock = systemClock,
): Promise<Owner | undefined> {
  const owner = await ownerOf(directory);
  if (owner === undefined) return undefined;
  const request: RequestSender = (...args) =>
    withOwner(directory, (peer) => peer.request(...args), { clock });
  return {
    pid: owner.pid,
    ps: () => request(control.ps, {}),
    read: (taskId, range = {}) => request(control.read, { taskId, ...range }),
    stop: (taskId) => request(control.stop, { taskId }),
    sessions: () => request(control.sessions, {}),
    endSession: async (name) => void await request(control.endSession, { name }),
    end: async () => void await request(control.end, {}),
  };
}
