import type { CommandId, SessionId } from "../event/command.ts";
import type { ShellReset } from "../event/execution.ts";
import type { Leftover } from "../event/leftover.ts";
import type { Ending } from "../runtime/call/result.ts";
import type { TaskMode, TaskStatus } from "../task/task-view.ts";
import type { ShellErrorCategory } from "./error/shell-error.ts";
import type { PortableSchema } from "./portable-schema.ts";

/** A part of an answer with its audience. */
export interface ToolText {
  /** What it is for: the model, the person, or both. */
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
  /** How many lines were left out as they say little, by what they are. */
  readonly leftOut?: Readonly<Record<string, number>>;
  /** Names the whole output in later calls. */
  readonly artifact: string;
}

/** Why a wait is over. A wait ends, never the process. */
export type WaitEnd =
  | { readonly type: "ended" }
  | { readonly type: "started" }
  /** It went on to the background by another way than this wait. */
  | { readonly type: "promoted" }
  | { readonly type: "queued" }
  | { readonly type: "input" }
  | { readonly type: "output" }
  | { readonly type: "line"; readonly text: string }
  | { readonly type: "time"; readonly seconds: number }
  | { readonly type: "steered" }
  | { readonly type: "aborted" };

/** The same as the text, as data; JSON-safe. */
export interface ToolDetails {
  /** The name of the tool. */
  readonly tool: string;
  /** How the command stands. */
  readonly status?: WorkStatus;
  /** The shell of the command, and the command alone, in later calls. */
  readonly shellId?: SessionId;
  readonly taskId?: CommandId;
  /** `null` unless the command exited by itself. */
  readonly exitCode?: number | null;
  /** How the command ended, once it has. */
  readonly outcome?: Ending["type"];
  /** The signal that ended it. */
  readonly signal?: string;
  /** Where its shell was before it, and is now. */
  readonly cwd?: { readonly before: string; readonly after: string };
  /** The command that has the shell for which this one waits. */
  readonly queuedBehind?: CommandId;
  /** The shell was replaced, before the command or by its end. */
  readonly shellReset?: ShellReset;
  /** Milliseconds from start to end. */
  readonly durationMs?: number;
  /** Seconds; 0 means none. */
  readonly timeout?: { readonly requested: number; readonly effective: number };
  /** Absent where the whole range is shown. */
  readonly truncation?: Truncation;
  /** The part of the output that this answer covers, in bytes. */
  readonly range?: { readonly from: number; readonly to: number };
  /** Processes of the command that still run after its end. */
  readonly leftovers?: readonly Pick<Leftover, "pid" | "command">[];
  /** Why the wait ended before the command did. */
  readonly waitEnded?: Exclude<WaitEnd["type"], "ended">;
  /** Of a read: how many bytes beyond the range the owner has not read. */
  readonly unread?: number;
  /** Of a stop: whether it ended the command, which was not over before. */
  readonly stopped?: boolean;
  /** Of a stop: what commands of the shell had left running, and it ended. */
  readonly endedLeftovers?: readonly Pick<Leftover, "pid" | "command">[];
  /** Of a read of several: the details of each. Of a list: each command. */
  readonly commands?: readonly ToolDetails[] | readonly ListedCommand[];
  /** Of a list: the tasks of the framework. */
  readonly foreign?: readonly ForeignTask[];
  /** Why the call could not be served. */
  readonly shell_error_category?: ShellErrorCategory;
  /** The tool of that call. */
  readonly shell_operation?: string;
  /** The category with the outcome of the command, without any text of it. */
  readonly shell_diagnostic?: string;
}

/** A command of a list. */
export interface ListedCommand {
  readonly shellId: SessionId;
  readonly taskId: CommandId;
  /** Its first 120 characters, in one line. */
  readonly command: string;
  readonly description?: string;
  readonly mode: TaskMode;
  readonly status: TaskStatus | WorkStatus;
  /** How many bytes the owner has not read. */
  readonly unread: number;
  /** Whether a notice of its end is wanted. */
  readonly notify: boolean;
  /** Whether its output can be read; once it has ended, retention may have taken that. */
  readonly retained: boolean;
  readonly pid?: number;
  /** Milliseconds since the epoch. */
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** The command that has the shell for which it waits. */
  readonly queuedBehind?: CommandId;
  /** How it ended, in a few words. */
  readonly ended?: string;
  /** Processes that it has left, and that still run. */
  readonly leftovers?: readonly Pick<Leftover, "pid" | "command">[];
}

/** A task that no command is, such as another agent of the framework. */
export interface ForeignTask {
  /** Names it in the list, and for `promote`. */
  readonly id: string;
  /** What it does, in a few words. */
  readonly description: string;
  readonly status: WorkStatus;
  /** Milliseconds since the epoch. */
  readonly startedAt?: number;
  /** Why it ended. */
  readonly reason?: string;
}

/** What a tool answers. */
export interface ToolResult {
  /** One line for a person. */
  readonly title: string;
  /** All that the model reads. */
  readonly text: string;
  /** The parts of the answer, with their audiences. */
  readonly content: readonly ToolText[];
  /** The call was not served, or its command failed. */
  readonly isError: boolean;
  readonly details: ToolDetails;
}

/** What a call of a tool brings beside its input. */
export interface CallContext {
  /** Ends the wait; what becomes of the command, the option `onAbort` says. */
  readonly signal?: AbortSignal | undefined;
  /** Called as the command goes on. */
  readonly onUpdate?: ((update: ToolUpdate) => void) | undefined;
  /** Milliseconds between two updates with output; default 100. */
  readonly updateEveryMs?: number | undefined;
  /** Called with the task that the call has started, before it runs, or is about to type into. */
  readonly onTask?: ((taskId: CommandId) => void) | undefined;
  /** The owner of the command, in place of the suite's. */
  readonly owner?: string | undefined;
}

/** A tool as every framework takes it. */
export interface Tool {
  /** As the model calls it. */
  readonly name: string;
  /** At most 1 500 characters. */
  readonly description: string;
  /** Of its input. */
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
