import type { WorkStatus } from "./tool.ts";

/** A task that no command is, such as another agent of the framework. */
export interface ForeignTask {
  readonly id: string;
  readonly description: string;
  readonly status: WorkStatus;
  /** Milliseconds since the epoch. */
  readonly startedAt?: number;
  /** Why it ended. */
  readonly reason?: string;
}

/** The tasks of a framework, for one list and one promote call. */
export interface ForeignTasks {
  list(owner: string): readonly ForeignTask[];
  /** Let it go on in the background; answers whether there is such a task. */
  promote(id: string): boolean;
}
