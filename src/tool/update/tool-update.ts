import type { CommandId } from "../../event/command.ts";

/** Progress of the command of a call, for a user interface. */
export type ToolUpdate =
  | {
    readonly type: "started";
    readonly taskId: CommandId;
    readonly pid: number;
    readonly command: string;
  }
  /** What is new of the output; `skipped` counts bytes that are not shown. */
  | {
    readonly type: "output";
    readonly taskId: CommandId;
    readonly text: string;
    readonly skipped: number;
  }
  | { readonly type: "exited"; readonly taskId: CommandId; readonly exitCode: number | null }
  /** Another executor runs it than the chosen one. */
  | { readonly type: "fallback"; readonly taskId: CommandId; readonly executor: string }
  | { readonly type: "timeout"; readonly taskId: CommandId };
