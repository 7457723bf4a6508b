import process from "node:process";
import { processExecutor } from "../../src/execution/process/process-executor.ts";
import { systemClock } from "../../src/platform/clock.ts";
import type { Native } from "../../src/platform/native/load-native-calls.ts";
import { hostProcesses } from "../../src/platform/process/host-processes.ts";
import type { StartSubject } from "./contract.ts";
import { bash, drive } from "./drive.ts";

let count = 0;

/** Executors that run a process for each command, started by the runtime or by native calls. */
export function processSubject(native?: Native): StartSubject {
  return (options = {}) => {
    const executor = processExecutor({
      processes: hostProcesses("shellflow-test", { ...(native && { native }) }),
      clock: systemClock,
      runtimeId: `test-process-${process.pid}-${++count}`,
      graceMs: 300,
      ...options,
    });
    return {
      executor,
      run: (command, limits, { file = "bash", input, onEvent } = {}) =>
        drive(executor, { ...bash(command, limits), file, ...(input && { input }) }, onEvent),
    };
  };
}
