import type { TerminalSetup } from "../../event/command.ts";
import type { Invocation } from "../../event/env.ts";
import { MARK } from "../../platform/process/mark.ts";
import type { ExitStatus } from "../../platform/process/processes.ts";
import { DEFAULT_SIZE, type Terminal, type Terminals } from "../../platform/terminal/terminals.ts";
import type { CreateEmulator } from "../../screen/emulator.ts";
import { type InputWait, inputWait } from "../../screen/input-wait.ts";
import { Screen } from "../../screen/screen.ts";
import { type AttachedOptions, markOf } from "../run/attached-options.ts";
import { cannotStart } from "../run/cannot-start.ts";
import type { CommandRun } from "../run/command-run.ts";
import { Leader } from "../run/leader.ts";
import { InputWatch } from "./input-watch.ts";
import { TypedInput } from "./typed-input.ts";

/** What is loaded with the first terminal. */
export interface TerminalParts {
  readonly terminals: Terminals;
  /** Absent: there are no screens, and all else works. */
  readonly createEmulator: CreateEmulator | undefined;
}

/** What a command on a terminal needs. */
export interface TerminalRunOptions extends AttachedOptions, TerminalParts {}

/**
 * Start a command on a terminal of its own, as the leader of the session that the terminal controls.
 *
 * @returns Its screen; `undefined` when it could not start, which the run has reported.
 */
export function startOnTerminal(
  run: CommandRun,
  invocation: Invocation,
  { terminals, createEmulator, ...options }: TerminalRunOptions,
): Screen | undefined {
  const { processes, clock } = options;
  const { commandId } = run;
  const { file, args, cwd, env } = invocation;
  const { passThrough, ...size }: TerminalSetup = invocation.terminal ?? DEFAULT_SIZE;
  const encoder = new TextEncoder();
  const screen = new Screen({
    size,
    createEmulator,
    answer: (text) => {
      if (passThrough === undefined) terminal.write(encoder.encode(text)).catch(() => {}); // it is closed
    },
  });
  const data = (chunk: Uint8Array) => {
    run.data(chunk);
    screen.write(chunk);
    watch?.output();
  };
  const exit = (status: ExitStatus) => {
    watch?.end();
    input.close();
    leader.exited();
    run.exited({ status });
  };
  let terminal: Terminal;
  try {
    terminal = terminals.open({
      file,
      args,
      cwd,
      env: { ...env.reveal(), [MARK]: markOf(options, commandId) },
      size,
    }, { data, exit, end: () => run.outputEnded() });
  } catch (cause) {
    run.failed(cannotStart(invocation, cause));
    return undefined;
  }
  const leader = new Leader(terminal, { ...options, commandId });
  // A person sees what their terminal waits for.
  const watch = passThrough ? undefined : new InputWatch({
    clock,
    look: async (quietMs): Promise<InputWait | undefined> => {
      const { wait } = terminal.foreground(processes.table()) ?? { wait: "neither" };
      if (wait === "neither") return undefined;
      return inputWait({
        wait,
        settings: await terminal.settings(),
        quietMs,
        line: screen.textBeforeCursor(),
      });
    },
    report: (wait) =>
      run.report(
        wait === undefined
          ? { type: "execution.wentOn", commandId }
          : { type: "execution.waitingForInput", commandId, ...wait },
      ),
  });
  const input = new TypedInput(terminal, () => watch?.input());
  const { identity, body } = leader;
  run.started({
    ...body,
    output: terminal,
    input,
    readers: () => {
      // Not the foreground process group alone: a shell behind it reads what that leaves, and at its
      // start the terminal has no such group yet.
      const pids = processes.table(true).all
        .filter(({ session, state }) => session === identity.pid && state !== "Z")
        .map(({ pid }) => pid);
      return pids.length > 0 ? pids : [identity.pid];
    },
    resize: (size) => {
      terminal.resize(size);
      screen.resize(size);
      return true;
    },
  }, {
    type: "execution.started",
    commandId,
    executor: "terminal",
    ...identity,
    group: identity.pid,
    terminal: size,
  });
  return screen;
}
