import type { CommandId } from "./command.ts";

/** The host that ran the command is gone, and with it the news of how it ended. */
export interface TaskLost {
  readonly type: "task.lost";
  readonly commandId: CommandId;
  readonly reason: string;
}

/** Nobody waits for the command any more; it goes on, under the same name. */
export interface TaskPromoted {
  readonly type: "task.promoted";
  readonly commandId: CommandId;
  readonly by: PromotionCause;
}

/** What ended the wait for a command: its time, or somebody. */
export type PromotionCause = "timeout" | "user";

/** All that the folder `task` tells of. */
export type TaskEvent = TaskPromoted | TaskLost;
