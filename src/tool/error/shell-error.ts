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
  readonly category: ShellErrorCategory;
  /** What went wrong, without text of the command. */
  readonly diagnostic: string;
  readonly ids: { readonly shellId?: SessionId; readonly taskId?: CommandId };

  constructor(
    category: ShellErrorCategory,
    message: string,
    { diagnostic = category, ...ids }: {
      readonly diagnostic?: string;
      readonly shellId?: SessionId;
      readonly taskId?: CommandId;
    } = {},
  ) {
    super(message);
    this.name = "ShellError";
    this.category = category;
    this.diagnostic = diagnostic;
    this.ids = ids;
  }
}
