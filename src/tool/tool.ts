import type { CommandId, SessionId } from "../event/command.ts";
import type { ShellReset } from "../event/execution.ts";
import type { ShellErrorCategory } from "./error/shell-error.ts";
import type { PortableSchema } from "./portable-schema.ts";

/** A part of an answer with its audience. */
export interface ToolText {
  readonly audience: "model" | "user" | "both";
  readonly text: string;
}

/** Where a command is in its life, in the words of MCP's task extension. */
export type WorkStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/** How much of an output a text shows. */
export interface Truncation {
  /** The bytes shown at the beginning and at the end; `to` is exclusive. */
  readonly shown: readonly { readonly from: number; readonly to: number }[];
  readonly totalBytes: number;
  /** Absent where they were not counted. */
  readonly totalLines?: number;
  /** Names the whole output in later calls. */
  readonly artifact: string;
}

/** The same as the text, as data; JSON-safe. */
export interface ToolDetails {
  readonly tool: string;
  readonly status?: WorkStatus;
  readonly shellId?: SessionId;
  readonly taskId?: CommandId;
  readonly exitCode?: number | null;
  /** The outcome's type, such as `exited` or `denied`. */
  readonly outcome?: string;
  readonly signal?: string;
  readonly cwd?: { readonly before: string; readonly after: string };
  /** The shell was replaced, before the command or by its end. */
  readonly shellReset?: ShellReset;
  /** Milliseconds from start to end, or to this answer. */
  readonly durationMs?: number;
  /** Seconds; 0 means none. */
  readonly timeout?: { readonly requested: number; readonly effective: number };
  readonly truncation?: Truncation;
  /** The part of the output that this answer covers, in bytes. */
  readonly range?: { readonly from: number; readonly to: number };
  readonly leftovers?: readonly { readonly pid: number; readonly command: string }[];
  /** Why the wait ended before the command did. */
  readonly waitEnded?: string;
  readonly shell_error_category?: ShellErrorCategory;
  readonly shell_operation?: string;
  /** What went wrong, without any text of the command. */
  readonly shell_diagnostic?: string;
  /** What is particular to the tool. */
  readonly [name: string]: unknown;
}

/** What a tool answers. */
export interface ToolResult {
  /** One line for a person. */
  readonly title: string;
  /** All that the model reads. */
  readonly text: string;
  /** The parts of the answer, with their audiences. */
  readonly content: readonly ToolText[];
  readonly isError: boolean;
  readonly details: ToolDetails;
}

/** What a call of a tool brings beside its input. */
export interface CallContext {
  /** Ends the wait, and the command of a synchronous call. */
  readonly signal?: AbortSignal | undefined;
  /** Called as the command goes on. */
  readonly onUpdate?: ((update: ToolUpdate) => void) | undefined;
  /** Milliseconds between two updates with output; default 100. */
  readonly updateEveryMs?: number | undefined;
  /** Called with the task that the call has started, before the task runs. */
  readonly onTask?: ((taskId: CommandId) => void) | undefined;
  /** The owner of the command, in place of the suite's. */
  readonly owner?: string | undefined;
}

/** A tool as every framework takes it. */
export interface Tool {
  readonly name: string;
  /** At most 1 500 characters. */
  readonly description: string;
  readonly schema: PortableSchema;
  /**
   * What goes wrong is a result with `isError`.
   *
   * @throws {TypeError} For the first part of the context that cannot be used, before anything runs.
   */
  readonly run: (input: unknown, context?: CallContext) => Promise<ToolResult>;
}

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
