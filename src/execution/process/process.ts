import { Observable } from "rxjs";
import type { CommandId } from "../../event/command.ts";
import type { ExecutionEvent } from "../../event/execution.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Contain } from "../../platform/process/containment.ts";
import type { Processes } from "../../platform/process/processes.ts";
import type { Watchdog } from "../../platform/process/watchdog.ts";
import type { Executor } from "../executor.ts";
import type { Haste } from "../tree/haste.ts";
import { killTree } from "../tree/kill.ts";
import { ProcessRun } from "./process-run.ts";
import { Runs } from "../run/runs.ts";
import { ProcessTree } from "../tree/process-tree.ts";

/** What the process executor needs. */
export interface ProcessExecutorOptions {
  readonly processes: Processes;
  readonly clock: Clock;
  /** Names this runtime in the mark of each command's processes. */
  readonly runtimeId: string;
  /** The marks of a runtime that this one runs in. */
  readonly outerMark?: string;
  /** Between the polite signal and KILL, in milliseconds; default 5 000. */
  readonly graceMs?: number;
  /** Ends the grace before its time. */
  readonly haste?: Haste;
  /** Puts each command into a container, so that nothing of it survives it. */
  readonly contain?: Contain;
  /** What becomes of the processes that a command leaves behind: they go on, or end with it; default `keep`. */
  readonly background?: "keep" | "end";
  /** Ends what is left when this process dies. */
  readonly watchdog?: Watchdog;
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
  /** End what a command left without a trace but its mark, after its own end. */
  const sweep = (commandId: CommandId): boolean => {
    const tree = new ProcessTree(processes, { isMark: (word) => word === markOf(commandId) });
    processes.table(true); // an older one shows who has just ended as somebody to be ended
    if (tree.survey().length === 0) return false;
    void killTree(tree, clock, { graceMs, haste });
    return true;
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
    send: (commandId, message) =>
      runs.send(commandId, message) ?? (message.type === "stop" && sweep(commandId)),
    close: async () => {
      await runs.close();
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
