import type { PipeEvents } from "../../platform/pipe/pipe-reader.ts";
import type { Processes, ProcessIdentity } from "../../platform/process/processes.ts";
import type { Shells } from "../../platform/shell/shells.ts";
import type { TerminalOrder } from "../../shell/persistent/persistent-dialect.ts";
import type { RunBody } from "../run/run-body.ts";

/** Where a command in a shell writes, as its order says. */
export interface OrderChannels {
  readonly output: string;
  /** It has the terminal of the shell; absent: its input is at its end. */
  readonly terminal?: TerminalOrder;
}

/** What connects a command with its shell: a pipe of its own, or the terminal of the shell. */
export interface CommandChannels {
  readonly order: OrderChannels;
  /** Their part of the body of its run; only a terminal has a screen. */
  readonly body: Pick<RunBody, "output" | "input" | "screen" | "readers" | "resize" | "released">;
  /** Whether a link in /proc is its output, and that of no other command. */
  readonly isOutput: (link: string) => boolean;
  /** Whether the shell has begun with the command; a command that moves its own output looks as if not. */
  readonly begun: (processes: Processes, shell: ProcessIdentity) => boolean;
  /**
   * The command has ended: read what is left of its output.
   *
   * @param alone Whether it has left no process behind.
   */
  finish(alone: () => boolean): void;
  /** It was not to be: nothing of it runs. */
  close(): void;
}

/** Give a command an output pipe of its own. */
export function pipedChannels(shells: Shells, events: PipeEvents): CommandChannels {
  const output = shells.output(events);
  return {
    order: { output: output.path },
    body: { output },
    isOutput: (link) => link === output.name,
    begun: (processes, { pid }) => processes.table().openFiles(pid).includes(output.name),
    finish: () => output.closeWriteEnd(),
    close: () => output.release(),
  };
}
