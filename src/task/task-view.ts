import type { CommandId, Limits, Origin, SessionId, StopCause } from "../event/command.ts";
import type { ExecutionRefused, Outcome, ShellReset } from "../event/execution.ts";
import type { Leftover } from "../event/leftover.ts";
import type { Concern, PermissionDenied, PermissionGranted } from "../event/permission.ts";
import type { PromotionCause, TaskDetached } from "../event/task.ts";
import type { InputWait } from "../screen/input-wait.ts";
import type { SizeFrom } from "../screen/rebuild.ts";

/**
 * Where a task is in its life: in the queue, analysed and prepared, waiting for an answer, running, or
 * at one of its six ends.
 *
 * `ended` means that its process ran and is gone: {@linkcode Task.outcome} says how.
 */
export type TaskStatus =
  | "queued"
  | "preparing"
  | "asking"
  | "running"
  | "ended"
  | "rejected"
  | "cancelled"
  | "denied"
  | "failed"
  | "lost";

/** What was decided about a task. */
export type Decision =
  | { readonly type: "granted" } & Pick<PermissionGranted, "by" | "rules">
  | { readonly type: "denied" } & Omit<PermissionDenied, "type" | "commandId">;

/** What is known of a detached process. */
export type Detachment = Omit<TaskDetached, "type" | "commandId">;

/** A command as seen from outside. */
export interface Task {
  readonly id: CommandId;
  readonly sessionId: SessionId;
  readonly command: string;
  readonly description?: string;
  readonly origin: Origin;
  /** The owner of the command, as its caller gave it. */
  readonly owner?: string;
  /** It ran in the background from the start. */
  readonly background?: true;
  /** No notice is wanted about it. */
  readonly notify?: false;
  readonly limits: Limits;
  readonly status: TaskStatus;
  /** The directory that it runs in. */
  readonly cwd?: string;
  /** The directory of its session's shell after it. */
  readonly cwdAfter?: string;
  /** What was taken from its line before it ran, by the option `fixUps`. */
  readonly removed?: readonly string[];
  /** Its session got another shell, before it or by its end. */
  readonly shellReset?: ShellReset;
  readonly executor?: string;
  /** The executor that was chosen and could not run it. */
  readonly fellBackFrom?: string;
  readonly pid?: number;
  /** Milliseconds since the epoch, as all times here. */
  readonly requestedAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** From start to end, in milliseconds. */
  readonly durationMs?: number;
  readonly decision?: Decision;
  /** What is being asked; empty when nothing is. */
  readonly concerns: readonly Concern[];
  /** Why it went to the background. */
  readonly promotedBy?: PromotionCause;
  /** Where to find its process, which outlives the host. */
  readonly detached?: Detachment;
  /** How its process ended. */
  readonly outcome?: Outcome;
  /** What cancelled it before it started. */
  readonly cancelledBy?: StopCause;
  /** Why it was rejected, denied, refused, failed or lost. */
  readonly reason?: string;
  /** It takes input. */
  readonly takesInput?: true;
  /** The sizes of its terminal, each from an offset of the output on; absent: it has none. */
  readonly sizes?: readonly SizeFrom[];
  /** The connections that its sandbox refused it, the first to each place; absent: none. */
  readonly refused?: readonly Pick<ExecutionRefused, "to" | "reason">[];
  /** It waits for input. */
  readonly waitingForInput?: InputWait | undefined;
  /** The newest signal by which it is being ended. */
  readonly stopping?: string;
  /** What ends it, or what it has left. */
  readonly stoppedBy?: StopCause;
  /** The signals that were sent to it on request. */
  readonly signals?: readonly string[];
  /** How many bytes it wrote. */
  readonly totalBytes: number;
  /** The file that holds all its output, once there is one. */
  readonly spillPath?: string;
  /** Its processes that still run after its end. */
  readonly leftovers: readonly Leftover[];
  /** Nothing more will be read from it. */
  readonly closed: boolean;
}

/** How a task was started, or went on. */
export type TaskMode = "sync" | "async" | "promoted" | "detached";

/**
 * How a task was started, or went on: `sync` is waited for, `async` was in the background from the start,
 * `promoted` went on there when its wait ended, and `detached` outlives its host.
 */
export function taskMode(
  { detached, promotedBy, background }: Pick<Task, "detached" | "promotedBy" | "background">,
): TaskMode {
  if (detached !== undefined) return "detached";
  if (background === true) return "async";
  return promotedBy === undefined ? "sync" : "promoted";
}

/** Whether a task has ended; late output and `closed` may follow. */
export function hasEnded({ endedAt }: Task): boolean {
  return endedAt !== undefined;
}
