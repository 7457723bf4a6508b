import type { CommandId, SessionId } from "../../event/command.ts";
import type { Ending } from "../../runtime/call/result.ts";

/** Why a tool could not do what it was asked. */
export type ShellErrorCategory =
  | "invalid_input"
  | "unknown_id"
  | "completed"
  | "failed"
  | "stopped"
  | "reclaimed"
  | "detached"
  | "takes_no_input"
  | "denied"
  | "busy"
  | "internal";

/** The task that a call was about. */
export interface ErrorTask {
  readonly shellId?: SessionId;
  readonly taskId?: CommandId;
  /** How it has ended. */
  readonly outcome?: Ending["type"];
}

/** A call that cannot be answered as asked. */
export class ShellError extends Error {
  override readonly name = "ShellError";
  readonly category: ShellErrorCategory;
  readonly task: ErrorTask;

  constructor(category: ShellErrorCategory, message: string, task: ErrorTask = {}) {
    super(message);
    this.category = category;
    this.task = task;
  }
}

/** The error for input that means nothing: nothing was run then. */
export function invalidInput(message: string): ShellError {
  return new ShellError("invalid_input", message);
}
