import type { TerminalSize } from "../platform/terminal/terminals.ts";
import type { Leftover } from "./leftover.ts";
import type { CommandId, ShellState, StopCause } from "./command.ts";
import type { TaskAdopted, TaskDetached, TaskLost } from "./task.ts";

/** How a command ended. Never code 0 for a signal, never success for a non-zero code. */
export type Outcome =
  | {
    readonly type: "exited";
    readonly code: number;
    readonly guessedSignal?: string;
    /** What had asked for its end before: the code is the answer of the command, also where it is 0. */
    readonly by?: StopCause;
  }
  | {
    /** Without koffi, Node reports a process that a real-time signal ended as `exited` with 0. */
    readonly type: "signaled";
    readonly signal: string;
    readonly by: StopCause | "unknown";
    readonly coreDump: boolean;
  }
  | { readonly type: "timedOut"; readonly limitMs: number }
  | { readonly type: "idleTimedOut"; readonly limitMs: number }
  | { readonly type: "aborted"; readonly by: StopCause }
  | { readonly type: "outputLimited" }
  | { readonly type: "spawnFailed"; readonly reason: string }
  | { readonly type: "lost"; readonly reason: string }
  | { readonly type: "unknown"; readonly reason: string };

/** What can be lost with a shell. */
export type ShellPart = (typeof SHELL_PARTS)[number];

/** All of it. */
export const SHELL_PARTS = [
  "variables",
  "exports",
  "functions",
  "aliases",
  "options",
  "traps",
  "jobs",
  "descriptors",
] as const;

/** Another shell took the place of the one of a session, without all that it had. */
export interface ShellReset {
  readonly reason: string;
  readonly lost: readonly ShellPart[];
}

/** Where a shell that lives on stands after a command. */
export interface ShellAfter {
  readonly cwd: string;
  /** The names that change what the next line means; a name that the shell was started with is not among them. */
  readonly state: ShellState;
  /** What this command cost the shell. */
  readonly reset?: ShellReset;
}

/** Another executor runs the command than the chosen one; none of its bytes had been sent. */
export interface ExecutionFellBack {
  readonly type: "execution.fellBack";
  readonly commandId: CommandId;
  readonly from: string;
  readonly to: string;
  readonly reason: string;
}

/** The process runs. */
export interface ExecutionStarted {
  readonly type: "execution.started";
  readonly commandId: CommandId;
  readonly executor: string;
  /** 0 where there is no process (replay). */
  readonly pid: number;
  /** Distinguishes this process from a later one with the same pid: clock ticks since boot on Linux. */
  readonly startTime?: string;
  /** The size of its terminal; absent: it has none. */
  readonly terminal?: TerminalSize;
  /** The client's terminal that it runs in; absent: it runs here. */
  readonly terminalId?: string;
  /** The worker on another machine that runs it; absent: it runs here. */
  readonly worker?: string;
  /** What the session's shell had lost before this command: it had ended, and was replaced. */
  readonly reset?: ShellReset;
}

/** A step of the kill protocol was taken. */
export interface ExecutionStopping {
  readonly type: "execution.stopping";
  readonly commandId: CommandId;
  readonly by: StopCause;
  readonly signal: string;
}

/** The terminal of the command has another size. */
export interface ExecutionResized {
  readonly type: "execution.resized";
  readonly commandId: CommandId;
  readonly columns: number;
  readonly rows: number;
  /** How many bytes of output had been read by then. */
  readonly at: number;
}

/** The sandbox refused the command a connection; reported once for each place, for the first ones. */
export interface ExecutionRefused {
  readonly type: "execution.refused";
  readonly commandId: CommandId;
  /** The host and the port; what was asked for, where that is no host. */
  readonly to: string;
  readonly reason: string;
}

/** The command waits for input, until input is written, it goes on without, or it ends. */
export interface ExecutionWaitingForInput {
  readonly type: "execution.waitingForInput";
  readonly commandId: CommandId;
  /** The last line that it printed. */
  readonly prompt?: string;
  /** What is typed is not shown, as for a password. */
  readonly password?: boolean;
  /** It takes single keys and asks for none: it may go on without, as `top` does. */
  readonly keys?: boolean;
}

/** The command that waited for input goes on, although none was written. */
export interface ExecutionWentOn {
  readonly type: "execution.wentOn";
  readonly commandId: CommandId;
}

/** The command ended, and every byte that it had written by then has been read. */
export interface ExecutionExited {
  readonly type: "execution.exited";
  readonly commandId: CommandId;
  readonly outcome: Outcome;
  /** From start to end, in milliseconds. */
  readonly durationMs: number;
  /** Processes of this command that live on. */
  readonly leftovers: readonly Leftover[];
  /** Where the session's shell stands; absent: the command had a process of its own. */
  readonly shell?: ShellAfter;
}

/** The output has ended and no known process of the command is left, or the output was released. */
export interface ExecutionClosed {
  readonly type: "execution.closed";
  readonly commandId: CommandId;
  /** The processes that still held the output. */
  readonly leftovers: readonly Leftover[];
}

/** The process could not start, or a stage of ours broke. */
export interface ExecutionFailed {
  readonly type: "execution.failed";
  readonly commandId: CommandId;
  readonly reason: string;
}

/** The events of the folder `execution`, with those of detached tasks. */
export type ExecutionEvent =
  | ExecutionFellBack
  | ExecutionStarted
  | ExecutionStopping
  | ExecutionRefused
  | ExecutionResized
  | ExecutionWaitingForInput
  | ExecutionWentOn
  | ExecutionExited
  | ExecutionClosed
  | ExecutionFailed
  | TaskDetached
  | TaskAdopted
  | TaskLost;
