import { Observable, type Subscriber } from "rxjs";
import type { CommandId } from "../../event/command.ts";
import type { Invocation } from "../../event/env.ts";
import type { ExecutionEvent } from "../../event/execution.ts";
import type { CancelTimer } from "../../platform/clock.ts";
import type { Adoption, Executor } from "../executor.ts";
import { detachedMarks } from "../tree/marks.ts";
import { DetachedRun, type DetachedRunOptions } from "./detached-run.ts";
import { detachedStart } from "./detached-start.ts";

/** What the detached executor needs. */
export interface DetachedExecutorOptions extends Omit<DetachedRunOptions, "graceMs" | "own"> {
  /** Resolves when the log on disk says that the command is about to start; rejects when it cannot. */
  readonly intend: () => Promise<void>;
  /** Between the polite signal and KILL, in milliseconds; default 5 000. */
  readonly graceMs?: number;
}

/** How often files and processes are looked at, in milliseconds: often at first. */
const FIRST_LOOK_MS = 200;
const LONGEST_LOOK_MS = 2_000;

/**
 * Run each command in a process that outlives this host, with its output in a file; its wrapper
 * records how it ended, whether or not a host is there. It outlives, too, the command of another
 * runtime that this one may run in.
 *
 * No bytes come to the sinks, and unsubscribing leaves the process alone: to end it is to stop it.
 */
export function detachedExecutor(
  options: DetachedExecutorOptions,
): Executor & Required<Pick<Executor, "adopt">> {
  const { detached, clock, intend, graceMs = 5_000 } = options;
  const runs = new Map<CommandId, DetachedRun>();
  const stops = new Set<Promise<void>>();
  let cancelLook: CancelTimer | undefined;
  let waitMs = FIRST_LOOK_MS;
  let closed = false;

  const look = () => {
    cancelLook = undefined;
    for (const run of runs.values()) run.look();
    waitMs = Math.min(waitMs * 2, LONGEST_LOOK_MS);
    if (runs.size > 0 && !closed) cancelLook = clock.after(waitMs, look);
  };
  const watch = (
    adoption: Adoption,
    subscriber: Subscriber<ExecutionEvent>,
    own: boolean,
  ): DetachedRun => {
    const run = new DetachedRun(adoption, subscriber, { ...options, graceMs, own });
    const { commandId } = adoption;
    runs.set(commandId, run);
    subscriber.add(() => {
      run.leave();
      if (runs.get(commandId) === run) runs.delete(commandId);
    });
    waitMs = FIRST_LOOK_MS;
    cancelLook?.();
    cancelLook = clock.after(waitMs, look);
    return run;
  };

  const start = (
    commandId: CommandId,
    { command, file, args, cwd, env }: Invocation,
    subscriber: Subscriber<ExecutionEvent>,
  ) => {
    const startedAt = clock.now();
    const process = detached.start({
      taskId: commandId,
      command,
      at: startedAt,
      file,
      args,
      cwd,
      env: { ...env.reveal(), ...detachedMarks(commandId) },
    }, {
      exit: (status) => run.exited(status),
      error: ({ message }) =>
        fail(subscriber, commandId, `Cannot start "${file}" in "${cwd}": ${message}`),
    });
    if (process === undefined) return;
    const { identity, log, pidFile } = process;
    const run = watch({ commandId, ...identity, log, pidFile, startedAt }, subscriber, true);
    subscriber.next(detachedStart(commandId, identity));
    subscriber.next({ type: "task.detached", commandId, log, pidFile, ...identity });
  };

  return {
    name: "detached",
    capabilities: { terminal: false, input: false, persistent: false, detaches: true },
    run: (commandId, invocation) =>
      new Observable((subscriber) => {
        // Whoever finds the process later, without this host, finds in the log what it is.
        intend().then(
          () => {
            if (!subscriber.closed && !closed) start(commandId, invocation, subscriber);
          },
          (cause: unknown) => {
            const state = cause instanceof Error ? cause.message : String(cause);
            fail(
              subscriber,
              commandId,
              `Cannot start "${invocation.command}" on its own: ${state}`,
            );
          },
        ).catch((cause: unknown) => subscriber.error(cause));
      }),
    adopt: (adoption) =>
      new Observable((subscriber) => {
        const run = watch(adoption, subscriber, false);
        const { commandId, pid } = adoption;
        if (run.alive) subscriber.next({ type: "task.adopted", commandId, pid });
        run.look();
      }),
    send: (commandId, message) => {
      const run = runs.get(commandId);
      if (run === undefined) return false;
      if (message.type === "signal") return run.signal(message.signal);
      const stopped = run.stop({ by: message.by });
      stops.add(stopped);
      void stopped.finally(() => stops.delete(stopped));
      return true;
    },
    close: async () => {
      await Promise.all(stops);
      closed = true;
      cancelLook?.();
      for (const run of runs.values()) run.leave();
    },
  };
}

function fail(subscriber: Subscriber<ExecutionEvent>, commandId: CommandId, reason: string): void {
  subscriber.next({ type: "execution.failed", commandId, reason });
  subscriber.complete();
}
