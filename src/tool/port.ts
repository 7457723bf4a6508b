import type { Observable } from "rxjs";
import type { CommandId, Origin, SessionId } from "../event/command.ts";
import type { Leftover } from "../event/leftover.ts";
import type { PromotionCause } from "../event/task.ts";
import type { ExecutorCapabilities } from "../execution/executor.ts";
import type { Notices } from "../notification/notice-board.ts";
import type { ProgramReport } from "../screen/program-report.ts";
import type { ByteRange } from "../stream/byte-range.ts";
import type { ByteSource } from "../text/source/source.ts";
import type { Clock } from "../platform/clock.ts";
import type { SessionTable } from "../session/sessions.ts";
import type { TaskTable } from "../task/tasks.ts";

/** A projection as it is now, and after each change. */
export interface Table<State> {
  readonly current: State;
  /** The state now, and after each event that changes it. */
  readonly changes: Observable<State>;
}

/** What the commands of a port can do. */
export type PortCapabilities = ExecutorCapabilities;

/** How a command is to be started. */
export interface StartRequest {
  readonly shellId: SessionId;
  /** The shell closes when this command has ended. */
  readonly single: boolean;
  readonly owner: string;
  readonly background: boolean;
  readonly detach: boolean;
  readonly notify: boolean;
  readonly origin: Origin;
  /** Milliseconds; 0 means none. */
  readonly timeoutMs: number;
  readonly description?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** It takes input on standard input. */
  readonly input: boolean;
  /** It has a terminal. */
  readonly terminal: boolean;
}

/** A part of an output. */
export interface OutputPart {
  readonly from: number;
  /** The offset after the part, with what of it is gone. */
  readonly to: number;
  readonly bytes: Uint8Array;
  readonly total: number;
  /** Nothing follows `total`. */
  readonly ended: boolean;
}

/** How the growth of an output is followed. */
export interface GrowthOptions {
  /** From which offset on output is new. */
  readonly from: number;
  /** Milliseconds; default 50. */
  readonly everyMs?: number;
}

/** An output to take excerpts of, and where it is kept as a file. */
export interface OutputSource {
  readonly source: ByteSource;
  /** The file that has all of it, or as much as could be kept; every byte of it is written. */
  readonly artifact?: string;
}

/** Why a command did not get input. */
export interface InputRefusal {
  readonly type: "takesNoInput" | "notRunning" | "denied" | "cutOff";
  readonly reason: string;
}

/** What the terminal of a command shows. */
export interface ScreenView {
  readonly size: { readonly columns: number; readonly rows: number };
  readonly lines: readonly string[];
  /** From 0. */
  readonly cursor: { readonly row: number; readonly column: number };
  readonly title: string;
  /** What the program claims of itself. */
  readonly reported: ProgramReport;
  /** How many bytes of output it shows. */
  readonly offset: number;
}

/**
 * What the tools need of a runtime: messages go in, projections are read.
 *
 * One adapter connects it to a runtime; tests may bring another.
 */
export interface CommandPort {
  readonly capabilities: PortCapabilities;
  readonly clock: Clock;
  readonly tasks: Table<TaskTable>;
  readonly sessions: Pick<Table<SessionTable>, "current">;
  readonly notices: Notices;
  /**
   * Start a command; it has its place in its shell's queue when this returns.
   *
   * @throws {TypeError} When the request cannot be used; nothing has happened then.
   */
  start(command: string, request: StartRequest): CommandId;
  /** Emits when there may be more output, once in `everyMs` at most, and completes when none follows. */
  grows(taskId: CommandId, options: GrowthOptions): Observable<unknown>;
  /** Read a part of an output; reading consumes nothing. */
  read(taskId: CommandId, part: { from: number; maxBytes: number }): Promise<OutputPart>;
  /** The output as it is now. */
  output(taskId: CommandId): Promise<OutputSource>;
  /** What a reader has not read so far; `to` is the end of the output. */
  unread(taskId: CommandId, reader: string): Promise<ByteRange>;
  /** Take note that a reader has seen an output up to an offset. */
  seen(taskId: CommandId, reader: string, to: number): void;
  /**
   * Send text, or text with keys in braces; answers why it was not taken.
   *
   * @throws {TypeError} When there is no such key.
   */
  write(
    taskId: CommandId,
    input: string | { readonly keys: string },
  ): Promise<InputRefusal | undefined>;
  /** The screen of a running command, if its output from an offset on draws on that. */
  screen?(taskId: CommandId, from: number): Promise<ScreenView | undefined>;
  /** End a task by the kill protocol; answers which processes survived. */
  stop(taskId: CommandId): Promise<readonly Leftover[]>;
  /** Close a shell once its queue is empty. */
  closeShell(shellId: SessionId): void;
  promote(taskId: CommandId, by: PromotionCause): void;
  /** Write all output of a task into a file, unless one has it already; answers its path. */
  artifact(taskId: CommandId): Promise<string>;
  /** The path of a file of the runtime, with its directories made. */
  localFile(name: string): Promise<string>;
}
