import type { CommandEvent } from "./command.ts";
import type { EnvEvent } from "./env.ts";
import type { ExecutionEvent } from "./execution.ts";
import type { NoticeEvent } from "./notice.ts";
import type { OutputEvent } from "./output.ts";
import type { PermissionEvent } from "./permission.ts";
import type { SessionEvent } from "./session.ts";
import type { TaskEvent } from "./task.ts";

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

/** Whether this event ends its command; exactly one does, though `execution.closed` and late output may follow. */
export function endsCommand(event: RuntimeEvent): boolean {
  switch (event.type) {
    case "command.rejected":
    case "command.cancelled":
    case "permission.denied":
    case "env.refused":
    case "execution.failed":
    case "execution.exited":
    case "task.lost":
      return true;
    default:
      return false;
  }
}

/** Whether nothing of its command is left after this event that we know of. */
export function closesCommand(event: RuntimeEvent): boolean {
  return event.type === "execution.closed" ||
    (endsCommand(event) && event.type !== "execution.exited");
}
