import type { Clock } from "../../platform/clock.ts";
import type { InputPipe, Processes } from "../../platform/process/processes.ts";
import type { Terminal, TerminalSize } from "../../platform/terminal/terminals.ts";
import type { CreateEmulator } from "../../screen/emulator.ts";
import { type InputWait, inputWait } from "../../screen/input-wait.ts";
import { Screen } from "../../screen/screen.ts";
import type { CommandRun } from "../run/command-run.ts";
import { InputWatch } from "./input-watch.ts";
import { TypedInput } from "./typed-input.ts";

/** What a command has of a terminal. */
export interface CommandTerminalOptions {
  readonly terminal: Pick<Terminal, "write" | "resize" | "foreground" | "settings">;
  readonly size: TerminalSize;
  readonly createEmulator: CreateEmulator | undefined;
  /** The terminal of a person shows its output and answers what programs ask their terminal. */
  readonly passThrough?: true | undefined;
  readonly processes: Processes;
  readonly clock: Clock;
}

/** The terminal as one command has it: a screen that is empty at first, what is typed, and whether it waits for that. */
export class CommandTerminal {
  readonly screen: Screen;
  readonly input: InputPipe;
  readonly #terminal: CommandTerminalOptions["terminal"];
  readonly #typed: TypedInput;
  /** Absent: a person sees what their terminal waits for. */
  readonly #watch: InputWatch | undefined;

  constructor(run: CommandRun, options: CommandTerminalOptions) {
    const { terminal, size, createEmulator, passThrough, processes, clock } = options;
    const { commandId } = run;
    const encoder = new TextEncoder();
    this.#terminal = terminal;
    this.screen = new Screen({
      size,
      createEmulator,
      answer: (text) => {
        if (passThrough === undefined) terminal.write(encoder.encode(text)).catch(() => {}); // it is closed
      },
    });
    this.input = this.#typed = new TypedInput(terminal, () => this.#watch?.input());
    this.#watch = passThrough ? undefined : new InputWatch({
      clock,
      look: async (quietMs): Promise<InputWait | undefined> => {
        const wait = terminal.foreground(processes.table());
        if (wait === undefined || wait === "neither") return undefined;
        return inputWait({
          wait,
          settings: await terminal.settings(),
          quietMs,
          line: this.screen.textBeforeCursor(),
          atPrompt: this.screen.reported.at === "prompt",
        });
      },
      report: (wait) => {
        if (wait === undefined) return run.report({ type: "execution.wentOn", commandId });
        run.report({ type: "execution.waitingForInput", commandId, ...wait });
      },
    });
  }

  /** Output came; the chunk is valid only during this call. */
  data(chunk: Uint8Array): void {
    this.screen.write(chunk);
    this.#watch?.output();
  }

  resize(size: TerminalSize): boolean {
    this.#terminal.resize(size);
    this.screen.resize(size);
    return true;
  }

  /** The command has ended: nothing is typed any more. */
  end(): void {
    this.#watch?.end();
    this.#typed.close();
  }
}

/** The processes of a session, any of which may read its terminal. */
export function sessionOf(leader: number, processes: Processes): readonly number[] {
  // Not the foreground process group alone: a shell behind it reads what that leaves, and at its start
  // the terminal has no such group yet.
  const pids = processes.table(true).all
    .filter(({ session, state }) => session === leader && state !== "Z")
    .map(({ pid }) => pid);
  return pids.length > 0 ? pids : [leader];
}
