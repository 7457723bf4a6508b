import type { CommandId } from "./command.ts";

/** The host that ran the command is gone, and with it the news of how it ended. */
export interface TaskLost {
  readonly type: "task.lost";
  readonly commandId: CommandId;
  readonly reason: string;
}

/** All that the folder `task` tells of. */
export type TaskEvent = TaskLost;
