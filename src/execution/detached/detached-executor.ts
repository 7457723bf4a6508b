import { Observable, type Subscriber } from "rxjs";
import type { CommandId, StopCause } from "../../event/command.ts";
import type { Invocation } from "../../event/env.ts";
import type { ExecutionEvent } from "../../event/execution.ts";
import type { StartDetached } from "../../platform/process/detached/detached-processes.ts";
import type { Executor } from "../executor.ts";
import { CommandRun } from "../run/command-run.ts";
import { RunningCommands } from "../run/running-commands.ts";
import type { GraceOptions } from "../tree/kill-protocol.ts";
import { detachedMarks } from "../tree/marks.ts";
import { executionStarted } from "../run/execution-started.ts";
import { type DetachedRun, detachedRun, type DetachedRunOptions } from "./detached-run.ts";
import { cannotStart } from "../run/cannot-start.ts";
import { messageOf } from "../../platform/failure.ts";

/** What the detached executor needs. */
export interface DetachedExecutorOptions extends DetachedRunOptions, GraceOptions {
  readonly startDetached: StartDetached;
  /** Resolves when the log on disk says that the command is about to start; rejects when it cannot. */
  readonly intend: () => Promise<void>;
}

/**
 * Run each command in a process that outlives this host, with its output in a file; its wrapper
 * records how it ended, whether or not a host is there. It also outlives the command of another
 * runtime that this one may run in.
 *
 * No bytes come to the sinks. Unsubscribing leaves the process alone; a stop ends it.
 */
export function detachedExecutor(
  options: DetachedExecutorOptions,
): Executor & Required<Pick<Executor, "adopt">> {
  const { startDetached, clock, intend } = options;
  const runs = new RunningCommands();
  const stops = new Set<Promise<unknown>>();
  let closed = false;

  const runOf = (commandId: CommandId, subscriber: Subscriber<ExecutionEvent>) => {
    const run = new CommandRun({ ...options, commandId, limits: {}, subscriber });
    runs.add(run);
    subscriber.add(() => run.abandon());
    return run;
  };

  const start = (
    run: CommandRun,
    invocation: Invocation,
    emit: (event: ExecutionEvent) => void,
  ) => {
    const { commandId } = run;
    const { command, file, args, cwd, env } = invocation;
    const startedAt = clock.now();
    let followed: DetachedRun | undefined = undefined;
    const process = startDetached({
      taskId: commandId,
      command,
      at: startedAt,
      file,
      args,
      cwd,
      env: { ...env.reveal(), ...detachedMarks(commandId) },
    }, {
      exit: (status) => followed?.wrapperEnded(status),
      failed: (cause) => run.failed(cannotStart(invocation, cause)),
    });
    if (process === undefined) return;
    followed = detachedRun(run, { commandId, ...process, startedAt }, { ...options, own: true });
    run.started(followed.body, executionStarted(process, { commandId, executor: "detached" }));
    emit({ type: "task.detached", commandId, ...process });
    followed.follow();
  };

  const stop = (commandId: CommandId, by: StopCause) => {
    const stopped = runs.get(commandId)?.stop({ by });
    if (stopped === undefined) return undefined;
    stops.add(stopped);
    void stopped.finally(() => stops.delete(stopped));
    return stopped;
  };

  return {
    name: "detached",
    capabilities: { terminal: false, input: false, persistent: false, detaches: true },
    run: (commandId, invocation) =>
      new Observable((subscriber) => {
        const run = runOf(commandId, subscriber);
        // A later host that finds the process finds in the log what it is.
        intend().then(
          () => {
            if (!subscriber.closed && !closed) {
              start(run, invocation, (event) => subscriber.next(event));
            }
          },
          (cause: unknown) => {
            run.failed(`Cannot start "${invocation.command}" on its own: ${messageOf(cause)}`);
          },
        ).catch((cause: unknown) => subscriber.error(cause));
      }),
    adopt: (adoption) =>
      new Observable((subscriber) => {
        const { commandId, pid } = adoption;
        const run = runOf(commandId, subscriber);
        const followed = detachedRun(run, adoption, { ...options, own: false });
        run.started(
          followed.body,
          adoption.ended || !followed.alive()
            ? undefined
            : { type: "task.adopted", commandId, pid },
        );
        followed.follow();
      }),
    send: (commandId, message) => {
      if (message.type !== "stop") return runs.get(commandId)?.send(message) ?? false;
      return stop(commandId, message.by) !== undefined;
    },
    sweep: async (commandId) => await stop(commandId, "stop") ?? [],
    close: async () => {
      // Others may be asked for meanwhile.
      while (stops.size > 0) await Promise.all(stops);
      closed = true;
      runs.abandon();
    },
  };
}
