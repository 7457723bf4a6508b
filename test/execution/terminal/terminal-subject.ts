import process from "node:process";
import {
  terminalExecutor,
  type TerminalExecutorOptions,
} from "../../../src/execution/terminal/terminal-executor.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import { hostProcesses } from "../../../src/platform/process/host-processes.ts";
import { hostTerminals } from "../../../src/platform/terminal/host-terminals.ts";
import { loadPty } from "../../../src/platform/terminal/load-pty.ts";
import type { TerminalSize } from "../../../src/platform/terminal/terminals.ts";
import { loadEmulator } from "../../../src/screen/emulator.ts";
import type { StartSubject } from "../contract.ts";
import { bash, drive, type Driven } from "../drive.ts";
import type { Executor } from "../../../src/execution/executor.ts";

let count = 0;

/** An executor of terminals. */
export function terminals(
  options: Parameters<StartSubject>[0] & Partial<Pick<TerminalExecutorOptions, "load">> = {},
): Executor {
  return terminalExecutor({
    processes: hostProcesses("shellflow-test"),
    clock: systemClock,
    runtimeId: `test-terminal-${process.pid}-${++count}`,
    graceMs: 300,
    load: async () => ({
      terminals: hostTerminals(await loadPty()),
      createEmulator: await loadEmulator(),
    }),
    ...options,
  });
}

/** Run a line of bash on a terminal. */
export function onTerminal(
  executor: Executor,
  command: string,
  { size = { columns: 80, rows: 24 } }: { readonly size?: TerminalSize } = {},
): Driven {
  return drive(executor, { ...bash(command), executor: "terminal", terminal: size });
}

/** Bytes pass these terminals as they are, and nothing there ends with its leader, unlike on others. */
const PLAIN = "trap '' HUP; stty -echo -opost; ";

/** Executors of terminals whose bytes are those of the program. */
export function terminalSubject(options?: Parameters<StartSubject>[0]): ReturnType<StartSubject> {
  const executor = terminals(options);
  return {
    executor,
    run: (command, limits, { file = "bash", onEvent } = {}) => {
      const invocation = bash(`${PLAIN}${command}`, limits);
      const terminal = { columns: 80, rows: 24 };
      return drive(executor, { ...invocation, file, executor: "terminal", terminal }, onEvent);
    },
  };
}
