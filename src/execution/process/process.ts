import { Observable } from "rxjs";
import type { CommandId } from "../../event/command.ts";
import type { ExecutionEvent } from "../../event/execution.ts";
import type { Leftover } from "../../event/leftover.ts";
import type { Contain } from "../../platform/process/containment.ts";
import type { Executor } from "../executor.ts";
import { killTree } from "../tree/kill.ts";
import { ProcessRun } from "./process-run.ts";
import type { AttachedOptions } from "../run/attached-options.ts";
import { Runs } from "../run/runs.ts";
import { ProcessTree } from "../tree/process-tree.ts";

/** What the process executor needs. */
export interface ProcessExecutorOptions extends AttachedOptions {
  /** Puts each command into a container, so that nothing of it survives it. */
  readonly contain?: Contain;
}

/** Run each command in a fresh process, the leader of a session and group of its own. */
export function processExecutor(options: ProcessExecutorOptions): Executor {
  const {
    processes,
    clock,
    runtimeId,
    outerMark,
    graceMs = 5_000,
    haste,
    watchdog,
    contain,
    background = "keep",
  } = options;
  const runs = new Runs<ProcessRun>();
  const markOf = (commandId: CommandId) => `${runtimeId}/${commandId}`;
  const sweeps = new Map<CommandId, Promise<readonly Leftover[]>>();
  const sweep = async (commandId: CommandId): Promise<readonly Leftover[]> => {
    const tree = new ProcessTree(processes, { isMark: (word) => word === markOf(commandId) });
    processes.table(true); // an older one shows who has just ended as somebody to be ended
    if (tree.survey().length === 0) return [];
    return tree.describe(await killTree(tree, clock, { graceMs, haste }));
  };
  return {
    name: "process",
    capabilities: { terminal: false, input: false, persistent: false, detaches: false },
    run: (commandId, invocation, sinks) =>
      new Observable<ExecutionEvent>((subscriber) => {
        const run = new ProcessRun(subscriber, {
          commandId,
          invocation,
          limits: invocation.limits,
          processes,
          clock,
          sinks,
          graceMs,
          haste,
          mark: markOf(commandId),
          outerMark,
          contain,
          background,
          onGroup: (leader) => watchdog?.register(leader),
          onGroupGone: (group) => watchdog?.release(group),
          onFinished: () => runs.forget(commandId),
        });
        runs.add(commandId, run);
        watchdog?.start();
        run.start();
        return () => void run.stop({ by: "abort" });
      }),
    send: (commandId, message) => runs.send(commandId, message) ?? false,
    sweep: (commandId) => {
      // Whoever asks again is not to begin with a new grace.
      const known = sweeps.get(commandId);
      if (known !== undefined) return known;
      const begun = sweep(commandId).finally(() => sweeps.delete(commandId));
      sweeps.set(commandId, begun);
      return begun;
    },
    close: async () => {
      await runs.close();
      await Promise.all(sweeps.values());
      // Whatever left its command without a trace but the mark of this runtime.
      await killTree(
        new ProcessTree(processes, { isMark: (word) => word.startsWith(`${runtimeId}/`) }),
        clock,
        { graceMs, haste },
      );
      watchdog?.close();
      processes.close();
    },
  };
}
