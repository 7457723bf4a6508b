import * as v from "valibot";
import type { CommandId, StopCause } from "../../event/command.ts";
import type { RuntimeEvent } from "../../event/event.ts";
import type { Leftover } from "../../event/leftover.ts";
import type { PromotionCause } from "../../event/task.ts";
import { shownValue } from "../../event/shown.ts";
import type { Executor } from "../../execution/executor.ts";
import { SIGNAL_NUMBERS } from "../../platform/process/signals/signal-numbers.ts";
import type { Session } from "../../session/session.ts";
import type { Task } from "../../task/task.ts";
import type { TaskTable } from "../../task/tasks.ts";

/** What calls for tasks need. */
export interface TaskCallsOptions {
  readonly executor: Executor;
  readonly record: (event: RuntimeEvent) => void;
  readonly table: () => TaskTable;
}

/**
 * Takes what is asked of tasks to who has them: the session that took the command, or the executor,
 * where that session ended with an earlier host or the command outlives it.
 */
export class TaskCalls {
  readonly #options: TaskCallsOptions;
  readonly #sessionOf = new Map<CommandId, Session>();

  constructor(options: TaskCallsOptions) {
    this.#options = options;
  }

  /** A session takes a command. */
  add(commandId: CommandId, session: Session): void {
    this.#sessionOf.set(commandId, session);
  }

  /** Nothing of a command is left. */
  forget(commandId: CommandId): void {
    this.#sessionOf.delete(commandId);
  }

  /** Which session took a command of which something is left. */
  sessionOf(commandId: CommandId): Session | undefined {
    return this.#sessionOf.get(commandId);
  }

  /** End a task. */
  stop(taskId: CommandId, by: StopCause): Promise<readonly Leftover[]> {
    checkCause(taskId, by);
    this.#known("stop", taskId);
    return this.end(taskId, by);
  }

  /** The same, for who started it: one that is forgotten has ended. */
  end(taskId: CommandId, by: StopCause): Promise<readonly Leftover[]> {
    checkCause(taskId, by);
    const { executor } = this.#options;
    const session = this.#sessionOf.get(taskId);
    if (session !== undefined) session.send({ type: "cancel", commandId: taskId, by });
    // The session of an adopted one ended with its host.
    else if (!executor.send(taskId, { type: "stop", by })) {
      return executor.sweep?.(taskId) ?? NOBODY;
    }
    return NOBODY;
  }

  /** End the wait for a task. */
  promote(taskId: CommandId, by: PromotionCause): void {
    this.#known("promote", taskId);
    this.letGo(taskId, by);
  }

  /** The same, for whoever knows that it runs. */
  letGo(taskId: CommandId, by: PromotionCause): void {
    this.#sessionOf.get(taskId)?.send({ type: "promote", commandId: taskId, by });
  }

  /** Send a signal to a task. */
  signal(taskId: CommandId, signal: string): void {
    checkSignal(taskId, signal);
    const task = this.#known("signal", taskId);
    const { executor, record } = this.#options;
    if (task?.detached === undefined) {
      this.#sessionOf.get(taskId)?.send({ type: "signal", commandId: taskId, signal });
    } else if (executor.send(taskId, { type: "signal", signal })) {
      record({ type: "command.signalled", commandId: taskId, signal });
    }
  }

  /** The task, unless it is remembered no more though its processes live; throws when there is none. */
  #known(what: string, taskId: CommandId): Task | undefined {
    const task = this.#options.table().byId.get(taskId);
    if (task === undefined && !this.#sessionOf.has(taskId)) throw noSuchTask(what, taskId);
    return task;
  }
}

/** Of what is not over, events tell who is left. */
const NOBODY: Promise<readonly Leftover[]> = Promise.resolve([]);

/** What is asked of a task that there is not, or that is forgotten. */
export function noSuchTask(what: string, taskId: CommandId): Error {
  return new Error(`Cannot ${what} ${shownValue(taskId)}: there is no such task`);
}

const causes = v.picklist(["timeout", "idle", "abort", "stop", "outputLimit", "close", "user"]);

function checkCause(taskId: CommandId, by: StopCause): void {
  if (v.is(causes, by)) return;
  throw new TypeError(
    `Cannot stop ${shownValue(taskId)} by ${shownValue(by)}: it must be ${causes.expects}`,
  );
}

function checkSignal(taskId: CommandId, signal: string): void {
  if (typeof signal === "string" && Object.hasOwn(SIGNAL_NUMBERS, signal)) return;
  throw new TypeError(
    `Cannot send ${shownValue(signal)} to ${shownValue(taskId)}: it is no signal of this system, ` +
      `such as "SIGTERM"`,
  );
}
