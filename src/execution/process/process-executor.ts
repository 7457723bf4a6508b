import { Observable } from "rxjs";
import type { CommandId } from "../../event/command.ts";
import type { ExecutionEvent } from "../../event/execution.ts";
import type { Leftover } from "../../event/leftover.ts";
import type { Executor } from "../executor.ts";
import { CommandRun } from "../run/command-run.ts";
import { RunningCommands } from "../run/running-commands.ts";
import { KillProtocol } from "../tree/kill-protocol.ts";
import { ProcessTree } from "../tree/process-tree.ts";
import { type ProcessExecutorOptions, startProcess } from "./process-run.ts";

/** Run each command in a fresh process, the leader of a session and group of its own. */
export function processExecutor(options: ProcessExecutorOptions): Executor {
  const { processes, clock, runtimeId, watchdog } = options;
  const runs = new RunningCommands();
  const sweeps = new Map<CommandId, Promise<readonly Leftover[]>>();
  const endMarked = async (isMark: (word: string) => boolean): Promise<readonly Leftover[]> => {
    const tree = new ProcessTree(processes, { isMark });
    processes.table(true); // an older one shows as alive what has just ended
    if (tree.survey().length === 0) return [];
    const kill = new KillProtocol(tree, clock, options);
    kill.begin();
    return tree.describe(await kill.survivors);
  };
  return {
    name: "process",
    capabilities: { terminal: false, input: true, persistent: false, detaches: false },
    run: (commandId, invocation, sinks) =>
      new Observable<ExecutionEvent>((subscriber) => {
        const { limits } = invocation;
        const run = new CommandRun({ ...options, commandId, limits, subscriber });
        runs.add(run);
        watchdog?.start();
        if (run.open(sinks)) startProcess(run, invocation, options);
        return () => void run.stop({ by: "abort" });
      }),
    readers: (commandId) => runs.readers(commandId),
    send: (commandId, message) => runs.send(commandId, message),
    sweep: (commandId) => {
      const run = runs.get(commandId);
      if (run !== undefined) return run.stop({ by: "stop" });
      // A second call does not begin with a new grace.
      const known = sweeps.get(commandId);
      if (known !== undefined) return known;
      const begun = endMarked((word) => word === `${runtimeId}/${commandId}`)
        .finally(() => sweeps.delete(commandId));
      sweeps.set(commandId, begun);
      return begun;
    },
    close: async () => {
      await runs.close();
      await Promise.all(sweeps.values());
      // Whatever left its command with nothing but the mark of this runtime.
      await endMarked((word) => word.startsWith(`${runtimeId}/`));
      watchdog?.close();
      processes.close();
    },
  };
}
