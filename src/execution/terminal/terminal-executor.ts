import type { TerminalSetup } from "../../event/command.ts";
import type { Invocation } from "../../event/env.ts";
import { messageOf } from "../../platform/failure.ts";
import { lazy } from "../../platform/lazy.ts";
import { MARK } from "../../platform/process/mark.ts";
import type { ExitStatus } from "../../platform/process/processes.ts";
import { DEFAULT_SIZE, type Terminal, type Terminals } from "../../platform/terminal/terminals.ts";
import type { CreateEmulator } from "../../screen/emulator.ts";
import type { Executor } from "../executor.ts";
import { type AttachedOptions, markOf } from "../run/attached-options.ts";
import { cannotStart } from "../run/cannot-start.ts";
import type { CommandRun } from "../run/command-run.ts";
import { executionStarted } from "../run/execution-started.ts";
import { Leader } from "../run/leader.ts";
import { RunningCommands } from "../run/running-commands.ts";
import { CommandTerminal, sessionOf } from "./command-terminal.ts";

/** What is loaded with the first terminal. */
export interface TerminalParts {
  readonly terminals: Terminals;
  /** Absent: there are no screens, and all else works. */
  readonly createEmulator: CreateEmulator | undefined;
}

/** What the terminal executor needs. */
export interface TerminalExecutorOptions extends AttachedOptions {
  /** Load what opens terminals and shows their screens. */
  readonly load: () => Promise<TerminalParts>;
}

/** An interactive shell ignores TERM; the end of its terminal ends it. */
const ENDING = ["SIGTERM", "SIGHUP"];

/** Run each command on a terminal of its own. */
export function terminalExecutor({ load, ...options }: TerminalExecutorOptions): Executor {
  const parts = lazy(load);
  const runs = new RunningCommands();
  return {
    name: "terminal",
    capabilities: { terminal: true, input: true, persistent: false, detaches: false },
    ...runs.answers(),
    run: (commandId, invocation, sinks) =>
      runs.attached(
        { ...options, commandId, limits: invocation.limits, ending: ENDING },
        sinks,
        (run) => {
          const start = (all: TerminalParts) => {
            if (run.wanted()) startOnTerminal(run, invocation, { ...options, ...all });
          };
          // At once where that can be: input may follow as soon as the output is open.
          return parts.loaded === undefined
            ? parts.load().then(start, (cause) => run.failed(messageOf(cause)))
            : start(parts.loaded);
        },
      ),
    prepare: () => parts.load().then(() => undefined, messageOf),
  };
}

/** Start a command on a terminal of its own, as the leader of the session that the terminal controls. */
function startOnTerminal(
  run: CommandRun,
  invocation: Invocation,
  { terminals, createEmulator, ...options }: AttachedOptions & TerminalParts,
): void {
  const { processes, clock } = options;
  const { commandId } = run;
  const { file, args, cwd, env } = invocation;
  const { passThrough, ...size }: TerminalSetup = invocation.terminal ?? DEFAULT_SIZE;
  const data = (chunk: Uint8Array) => {
    run.data(chunk);
    own.data(chunk);
  };
  const exit = (status: ExitStatus) => {
    own.end();
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
    return run.failed(cannotStart(invocation, cause));
  }
  const own = new CommandTerminal(run, {
    terminal,
    size,
    createEmulator,
    passThrough,
    processes,
    clock,
  });
  const leader = new Leader(terminal, { ...options, commandId });
  const { body } = leader;
  run.started({
    ...body,
    output: terminal,
    input: own.input,
    screen: own.screen,
    readers: () => sessionOf(terminal.pid, processes).map((pid) => processes.argv(pid)),
    resize: (size) => own.resize(size),
    released: () => {
      body.released?.();
      own.screen.close();
    },
  }, executionStarted(terminal, { commandId, executor: "terminal", terminal: size }));
}
