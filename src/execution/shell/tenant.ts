import type { Invocation, ShellInvocation } from "../../event/env.ts";
import type { ShellAfter, ShellReset } from "../../event/execution.ts";
import type { ExitStatus, ProcessIdentity } from "../../platform/process/processes.ts";

/** Where a command runs. */
export interface ShellPlace {
  /** The shell itself. */
  readonly host: ProcessIdentity;
  /** What was lost since the last command. */
  readonly reset?: ShellReset;
  /** The pids of those children of the shell that were not there before the command. */
  readonly children: () => readonly number[];
}

/** How a command in a shell ended. */
export interface ShellEnd {
  readonly status: ExitStatus;
  /** The pids of the shell's children that it leaves behind. */
  readonly children: readonly number[];
  readonly after: ShellAfter;
  /** What it printed past the pipe, at its end. */
  readonly strays?: Uint8Array;
  /** Why it never began. */
  readonly refused?: string;
}

/** A command that has the shell of its session for itself. */
export interface ShellTenant {
  readonly invocation: Invocation & { readonly shell: ShellInvocation };
  /** Marks its processes. */
  readonly mark: string;
  /** Somebody wants it ended. */
  readonly stopping: boolean;
  /**
   * The shell is ready for it.
   *
   * @returns The path of its output; `undefined` when it is not to run any more.
   */
  ready(place: ShellPlace): string | undefined;
  /** The shell has its order. */
  underWay(): void;
  /** The shell has let go of it, or is gone; answers whether that is told, or came after its answer. */
  over(end: ShellEnd): boolean;
  /** The shell could not be started. */
  failed(cause: unknown): void;
}
