import type { CommandCancelled, CommandEvent, CommandRejected } from "./command.ts";
import type { EnvEvent, EnvRefused } from "./env.ts";
import type { ExecutionEvent, ExecutionExited, ExecutionFailed } from "./execution.ts";
import type { NoticeEvent } from "./notice.ts";
import type { OutputEvent } from "./output.ts";
import type { PermissionDenied, PermissionEvent } from "./permission.ts";
import type { SessionEvent } from "./session.ts";
import type { TaskEvent, TaskLost } from "./task.ts";

/** Everything that can happen in a runtime. */
export type RuntimeEvent =
  | SessionEvent
  | CommandEvent
  | PermissionEvent
  | EnvEvent
  | ExecutionEvent
  | OutputEvent
  | TaskEvent
  | NoticeEvent;

/** The version of this vocabulary and of how a log writes it; it heads every segment. */
export const SCHEMA_VERSION = 2;

/** An event with its place in the log. */
export interface Recorded<E = RuntimeEvent> {
  /** One gapless count per runtime, from 1. */
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly event: E;
}

/** An event that ends its command; exactly one does, though `execution.closed` and late output may follow. */
export type CommandEnd =
  | CommandRejected
  | CommandCancelled
  | PermissionDenied
  | EnvRefused
  | ExecutionFailed
  | ExecutionExited
  | TaskLost;

const ENDS: Readonly<Record<CommandEnd["type"], true>> = {
  "command.rejected": true,
  "command.cancelled": true,
  "permission.denied": true,
  "env.refused": true,
  "execution.failed": true,
  "execution.exited": true,
  "task.lost": true,
};

/** Whether this event ends its command. */
export function endsCommand(event: RuntimeEvent): event is CommandEnd {
  return Object.hasOwn(ENDS, event.type);
}
