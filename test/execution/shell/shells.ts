import process from "node:process";
import type { DialectName, Limits } from "../../../src/event/command.ts";
import type { Invocation } from "../../../src/event/env.ts";
import { EnvValues } from "../../../src/event/env-values.ts";
import type { ExecutionEvent, ExecutionExited } from "../../../src/event/execution.ts";
import type { Executor } from "../../../src/execution/executor.ts";
import { shellExecutor } from "../../../src/execution/shell/shell-executor.ts";
import type { ShellExecutorOptions } from "../../../src/execution/shell/shell-run.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import { hostProcesses } from "../../../src/platform/process/host-processes.ts";
import type { LiveShell } from "../../../src/platform/shell/shells.ts";
import type { TerminalSize } from "../../../src/platform/terminal/terminals.ts";
import { hostShells } from "../../../src/platform/shell/host-shells.ts";
import { drive, type Driven } from "../drive.ts";

let count = 0;

/** An executor of its own, named so that all it has can be found: its pipes and marks carry the name. */
export function startShells(
  options: Partial<ShellExecutorOptions> = {},
): { readonly executor: Executor; readonly label: string } {
  const label = options.runtimeId ?? `shellflow-test-${process.pid}-${++count}-`;
  const executor = shellExecutor({
    shells: hostShells(label),
    processes: hostProcesses(label),
    clock: systemClock,
    runtimeId: label,
    graceMs: 300,
    ...options,
  });
  return { executor, label };
}

/** The same over real shells of which some calls are others. */
export function startAlteredShells(
  label: string,
  alter: (live: LiveShell) => Partial<LiveShell>,
  options: Partial<ShellExecutorOptions> = {},
): { readonly executor: Executor; readonly label: string } {
  const real = hostShells(label);
  return startShells({
    runtimeId: label,
    shells: {
      ...real,
      start: (spec, events) => {
        const live = real.start(spec, events);
        return live && Object.assign(Object.create(live), alter(live));
      },
    },
    ...options,
  });
}

/** How one command is run in a session. */
export interface PlacedOptions {
  readonly limits?: Limits | undefined;
  /** The program of the shell. */
  readonly file?: string;
  /** On the terminal of the shell. */
  readonly terminal?: TerminalSize;
  readonly dialect?: DialectName;
  /** For this command alone. */
  readonly cwd?: string;
  readonly overrides?: Readonly<Record<string, string>>;
  readonly onEvent?: (event: ExecutionEvent, commandId: string) => void;
}

/** The shell of one session, whose directory is followed as a session does. */
export interface Seat {
  readonly id: string;
  readonly cwd: () => string;
  /** Whether no command has it. */
  readonly free: () => boolean;
  readonly run: (command: string, options?: PlacedOptions) => Driven;
  /** Run it and wait until the shell is free again. */
  readonly done: (command: string, options?: PlacedOptions) => Promise<Done>;
}

/** What a command in a shell came to. */
export interface Done {
  readonly exited: ExecutionExited;
  readonly code: number | undefined;
  readonly text: string;
}

/** Take the shell of a session. */
export function seat(
  executor: Executor,
  home = "/",
  env: Readonly<Record<string, string>> = { PATH: "/usr/local/bin:/usr/bin:/bin" },
): Seat {
  const id = `session_${++count}`;
  let cwd = home;
  const values = new EnvValues(env);
  const invocationOf = (
    command: string,
    { limits = {}, overrides, ...options }: PlacedOptions = {},
  ): Invocation => ({
    command,
    file: options.file ?? "/bin/bash",
    args: ["-c", command],
    cwd: options.cwd ?? cwd,
    env: values,
    executor: options.terminal === undefined ? "shell" : "terminalShell",
    limits,
    ...(options.terminal && { terminal: options.terminal }),
    shell: {
      sessionId: id,
      dialect: options.dialect ?? "bash",
      env: values,
      ...(options.cwd !== undefined && { returns: cwd }),
      ...(overrides !== undefined && { overrides: new EnvValues(overrides) }),
    },
  });
  const run = (command: string, options: PlacedOptions = {}) =>
    drive(executor, invocationOf(command, options), (event, commandId) => {
      if (event.type === "execution.exited" && event.shell !== undefined) cwd = event.shell.cwd;
      options.onEvent?.(event, commandId);
    });
  return {
    id,
    cwd: () => cwd,
    free: () => executor.refuses?.(invocationOf("")) === undefined,
    run,
    done: async (command, options) => {
      const driven = run(command, options);
      const exited = await driven.exited;
      const code = exited.outcome.type === "exited" ? exited.outcome.code : undefined;
      return { exited, code, text: driven.text() };
    },
  };
}
