import type { CommandId } from "./command.ts";
import type { Leftover } from "./leftover.ts";

/** The host that ran the command is gone, and with it the news of how it ended. */
export interface TaskLost {
  readonly type: "task.lost";
  readonly commandId: CommandId;
  readonly reason: string;
  /** Processes of it that live on, as far as that was looked for. */
  readonly leftovers?: readonly Leftover[];
}

/** Nobody waits for the command any more; it goes on, under the same name. */
export interface TaskPromoted {
  readonly type: "task.promoted";
  readonly commandId: CommandId;
  readonly by: PromotionCause;
}

/** What ended the wait for a command: its time, a person or a message, or the output that was waited for. */
export type PromotionCause = "timeout" | "user" | "condition";

/** The command's process is on its own: it outlives the host, and writes to a file. */
export interface TaskDetached {
  readonly type: "task.detached";
  readonly commandId: CommandId;
  /** The file that its output goes to. */
  readonly log: string;
  /** The file that tells which process it is. */
  readonly pidFile: string;
  readonly pid: number;
  /** What tells this process from a later one with the same pid: clock ticks since boot on Linux. */
  readonly startTime?: string;
  /** The run of the machine in which it was started. */
  readonly bootId?: string;
}

/** A detached process that an earlier host started lives, and this host tells how it ends. */
export interface TaskAdopted {
  readonly type: "task.adopted";
  readonly commandId: CommandId;
  readonly pid: number;
}

/** All that the folder `task` tells of. */
export type TaskEvent = TaskPromoted | TaskDetached | TaskAdopted | TaskLost;
