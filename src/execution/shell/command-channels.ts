import type { Clock } from "../../platform/clock.ts";
import type { InputPipe } from "../../platform/process/processes.ts";
import type { PipeEvents, PipeReader } from "../../platform/pipe/pipe-reader.ts";
import type { LiveShell, Shells } from "../../platform/shell/shells.ts";
import type { TerminalOrder } from "../../shell/persistent/persistent-dialect.ts";
import { lookUntil } from "../tree/look-until.ts";

/** Where a command in a shell reads and writes, as its order says. */
export interface OrderChannels {
  readonly output: string;
  readonly input: string;
  /** It has the terminal of the shell. */
  readonly terminal?: TerminalOrder;
}

/** How the end of a command in a shell came about. */
export interface ChannelEnd {
  /** It may have left processes behind. */
  readonly startedSome: boolean;
  /** Whether none of these is left. */
  readonly alone: () => boolean;
}

/** What connects a command with its shell: pipes of its own, or the terminal of the shell. */
export interface CommandChannels {
  readonly order: OrderChannels;
  readonly output: PipeReader;
  readonly input: InputPipe | undefined;
  /** Whether a link in /proc is its output, and that of no other command. */
  isOutput(link: string): boolean;
  /** The command has ended: read what is left of its output. */
  finish(end: ChannelEnd): void;
  /** It was not to be: nothing of it runs. */
  close(): void;
}

/** What the pipes of a command need. */
export interface PipedOptions {
  readonly shells: Shells;
  readonly clock: Clock;
  readonly takesInput: boolean;
  readonly events: PipeEvents;
  /** The shell that runs it now. */
  readonly live: () => LiveShell;
}

/** Give a command pipes of its own. */
export function pipedChannels(
  { shells, clock, takesInput, events, live }: PipedOptions,
): CommandChannels {
  const input = takesInput ? shells.input() : undefined;
  let ended = false;
  try {
    const output = shells.output(events);
    const isOpen = () => live().input() === input?.name;
    return {
      order: { output: output.path, input: input?.path ?? "/dev/null" },
      output,
      // Without a reader the bytes of a pipe are lost at its end: that waits until the shell has opened it.
      input: input && {
        write: async (bytes) => {
          if (isOpen()) input.hasReader();
          await input.write(bytes);
        },
        end: () =>
          void lookUntil(clock, () => {
            if (!ended && !isOpen()) return false;
            input.end();
            return true;
          }, { firstMs: 1, longestMs: 20 }),
      },
      isOutput: (link) => link === output.name,
      finish: () => {
        ended = true;
        output.closeWriteEnd();
      },
      close: () => {
        ended = true;
        output.release();
        input?.end();
      },
    };
  } catch (cause) {
    input?.end();
    throw cause;
  }
}
