import type { CommandId, SessionId } from "../../event/command.ts";

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

/** A call that cannot be answered as asked. */
export class ShellError extends Error {
  override readonly name = "ShellError";
  readonly category: ShellErrorCategory;
  readonly ids: { readonly shellId?: SessionId; readonly taskId?: CommandId };

  constructor(category: ShellErrorCategory, message: string, ids: ShellError["ids"] = {}) {
    super(message);
    this.category = category;
    this.ids = ids;
  }
}

/** The error for input that means nothing: nothing was run then. */
export function invalidInput(message: string): ShellError {
  return new ShellError("invalid_input", message);
}
