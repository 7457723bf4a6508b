import type { CommandId } from "./command.ts";
import type { Leftover } from "./leftover.ts";

/** The host that ran the command died: how the command ended is unknown. */
export interface TaskLost {
  readonly type: "task.lost";
  readonly commandId: CommandId;
  readonly reason: string;
  /** Its processes that still run, as far as they were looked for. */
  readonly leftovers?: readonly Leftover[];
}

/** The command went to the background: its caller waits no longer, and it goes on under the same id. */
export interface TaskPromoted {
  readonly type: "task.promoted";
  readonly commandId: CommandId;
  readonly by: PromotionCause;
}

/** What sent a command to the background: its limit, a user or program, or what its caller waited for. */
export type PromotionCause = "timeout" | "user" | "condition";

/** The command was detached: its process outlives the host and writes to a file. */
export interface TaskDetached {
  readonly type: "task.detached";
  readonly commandId: CommandId;
  /** The file that its output goes to. */
  readonly log: string;
  /** The file that identifies its process. */
  readonly pidFile: string;
  readonly pid: number;
  /** Distinguishes the process from a later one with the same pid: clock ticks since boot on Linux. */
  readonly startTime?: string;
  /** The run of the machine in which it was started. */
  readonly bootId?: string;
}

/** This host follows a detached process that an earlier host started. */
export interface TaskAdopted {
  readonly type: "task.adopted";
  readonly commandId: CommandId;
  readonly pid: number;
}

/** The events of the folder `task`. */
export type TaskEvent = TaskPromoted | TaskDetached | TaskAdopted | TaskLost;
