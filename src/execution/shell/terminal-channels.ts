import type { TerminalSetup } from "../../event/command.ts";
import type { ShellTerminal } from "../../platform/shell/shell-terminal.ts";
import type { LiveShell } from "../../platform/shell/shells.ts";
import type { CreateEmulator } from "../../screen/emulator.ts";
import type { AttachedOptions } from "../run/attached-options.ts";
import type { CommandRun } from "../run/command-run.ts";
import { CommandTerminal, sessionOf } from "../terminal/command-terminal.ts";
import { lookUntil } from "../tree/look-until.ts";
import type { CommandChannels } from "./command-channels.ts";

/** How long background processes may write after their command, before it is looked whether any is left, in milliseconds. */
const LATE_MS = 100;

/** What a command on the terminal of its shell needs. */
export interface TerminalChannelsOptions extends Pick<AttachedOptions, "clock" | "processes"> {
  readonly live: LiveShell;
  readonly terminal: ShellTerminal;
  /** The size that the command asks for. */
  readonly asked: TerminalSetup;
  readonly createEmulator: CreateEmulator | undefined;
  /** What was typed for the command before must not reach this one, nor settings that it left behind. */
  readonly cleared: boolean;
  /** The words that stand for the shell itself, which runs the line. */
  readonly words: readonly string[];
}

/** Give a command the terminal of its shell. */
export function terminalChannels(
  run: CommandRun,
  { live, terminal, asked, createEmulator, cleared, words, ...options }: TerminalChannelsOptions,
): CommandChannels {
  const { processes, clock } = options;
  terminal.ask(asked);
  const own = new CommandTerminal(run, {
    ...options,
    terminal,
    size: terminal.size,
    createEmulator,
  });
  const output = terminal.output({
    data: (chunk) => {
      run.data(chunk);
      own.data(chunk);
    },
    end: () => run.outputEnded(),
  });
  const { device } = terminal;
  let begun = false;
  void output.begun.then(() => (begun = true));
  return {
    order: {
      output: "/dev/null",
      terminal: { device, mark: output.mark, cleared },
    },
    body: {
      output,
      input: {
        // Until then the shell drops what the command before has not read.
        write: async (bytes) => {
          await output.begun;
          await own.input.write(bytes);
        },
        end: () => void output.begun.then(() => own.input.end()),
      },
      screen: own.screen,
      readers: () =>
        sessionOf(live.pid, processes).map((pid) => pid === live.pid ? words : processes.argv(pid)),
      resize: (size) => {
        const resized = own.resize(size);
        // The kernel signals the foreground process group alone, and fish looks at the size at no other time.
        processes.signal(live, "SIGWINCH");
        return resized;
      },
      released: () => own.screen.close(),
    },
    // It is that of all commands of the shell.
    isOutput: () => false,
    begun: () => begun,
    finish: (alone) => {
      own.end();
      if (live.ended) return;
      const closed = () => !output.held && alone() && output.close();
      if (!closed()) clock.after(LATE_MS, () => lookUntil(clock, closed));
    },
    close: () => {
      own.end();
      output.release();
    },
  };
}
