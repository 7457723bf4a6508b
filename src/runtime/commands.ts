import type { CommandId, StopCause } from "../event/command.ts";
import type { RuntimeEvent } from "../event/event.ts";
import type { Leftover } from "../event/leftover.ts";
import type { PromotionCause } from "../event/task.ts";
import type { Executor, ExecutorMessage } from "../execution/executor.ts";
import type { PermitOptions } from "../permission/permit.ts";
import type { Session } from "../session/actor.ts";
import { hasEnded, type Task } from "../task/task-view.ts";
import type { TaskTable } from "../task/tasks.ts";
import { noSuchTask } from "./call/no-such-task.ts";
import type { RunResult } from "./call/result.ts";

/** What a command is started with. */
export interface NewCommand {
  readonly session: Session;
  /** The rules that came with the command; absent: those of the runtime. */
  readonly permit: PermitOptions | undefined;
}

/** What the registry needs from the runtime. */
export interface CommandsOptions {
  readonly executor: Executor;
  readonly record: (event: RuntimeEvent) => void;
  readonly table: () => TaskTable;
  /** Puts together what became of a task so far. */
  readonly result: (task: Task) => Promise<RunResult>;
}

/** Everything that the runtime keeps of one command beside its events. */
interface LiveCommand extends Partial<NewCommand> {
  /** Answers the call that started it; absent once that was done. */
  answerCaller?: ((result: Promise<RunResult>) => void) | undefined;
  /** Answer those that wait for its end. */
  readonly waiting: ((result: Promise<RunResult>) => void)[];
}

/**
 * The one registry of commands: from the request until no process of it is left.
 *
 * Requests about a command go to the session that took it, or to the executor where that session
 * ended with an earlier host.
 */
export class Commands {
  readonly #options: CommandsOptions;
  readonly #live = new Map<CommandId, LiveCommand>();

  constructor(options: CommandsOptions) {
    this.#options = options;
  }

  /** Register a command; the promise resolves when the wait of its caller is over. */
  add(id: CommandId, command: NewCommand): Promise<RunResult> {
    return new Promise((answerCaller) => {
      this.#live.set(id, { ...command, answerCaller, waiting: [] });
    });
  }

  /** The rules that came with a command. */
  permitOf(id: CommandId): PermitOptions | undefined {
    return this.#live.get(id)?.permit;
  }

  /** End the wait of the caller, and of all others if the task has ended. */
  answer(task: Task): void {
    const command = this.#live.get(task.id);
    if (command === undefined) return;
    const { answerCaller } = command;
    command.answerCaller = undefined;
    answerCaller?.(this.#options.result(task));
    if (!hasEnded(task)) return;
    for (const answer of command.waiting.splice(0)) answer(this.#options.result(task));
  }

  /** Nothing of the command is left. */
  forget(id: CommandId): void {
    this.#live.delete(id);
  }

  /** Wait for the end of a task. */
  async wait(id: CommandId): Promise<RunResult> {
    const task = this.#options.table().byId.get(id);
    if (task === undefined) throw noSuchTask("wait for", id);
    if (hasEnded(task)) return await this.#options.result(task);
    return await new Promise((resolve) => {
      const known = this.#live.get(id);
      if (known === undefined) this.#live.set(id, { waiting: [resolve] });
      else known.waiting.push(resolve);
    });
  }

  /**
   * Begin to end a command, or what it left behind.
   *
   * @returns Of a command that had ended before: the processes that outlived that, once it is over.
   */
  async end(id: CommandId, by: StopCause): Promise<readonly Leftover[]> {
    const { executor, table } = this.#options;
    const task = table().byId.get(id);
    if (task !== undefined && hasEnded(task)) return await executor.sweep?.(id) ?? [];
    const session = this.#live.get(id)?.session;
    if (session !== undefined) session.send({ type: "cancel", commandId: id, by });
    else if (!executor.send(id, { type: "stop", by })) return await executor.sweep?.(id) ?? [];
    return [];
  }

  /** End the wait for a command. */
  promote(id: CommandId, by: PromotionCause): void {
    this.#live.get(id)?.session?.send({ type: "promote", commandId: id, by });
  }

  /** Send a signal, input or a new size to a command; answers whether it took that. */
  async send(id: CommandId, message: ExecutorMessage, taken?: RuntimeEvent): Promise<boolean> {
    const session = this.#live.get(id)?.session;
    if (session !== undefined) {
      return await new Promise((answer) => {
        session.send({ type: "send", commandId: id, message, answer, ...(taken && { taken }) });
      });
    }
    const { executor, record } = this.#options;
    const isTaken = executor.send(id, message);
    if (isTaken && taken !== undefined) record(taken);
    return isTaken;
  }

  /** Send a signal to a command that has not ended. */
  signal(id: CommandId, signal: string): void {
    const task = this.#options.table().byId.get(id);
    if (task === undefined || hasEnded(task)) return;
    const taken: RuntimeEvent = { type: "command.signalled", commandId: id, signal };
    void this.send(id, { type: "signal", signal }, taken);
  }

  /**
   * Refuse what is asked of a command that does not exist.
   *
   * @param what What was asked, as a verb.
   * @throws {Error} When the runtime knows neither its task nor a process of it.
   */
  check(what: string, id: CommandId): void {
    if (!this.#options.table().byId.has(id) && !this.#live.has(id)) throw noSuchTask(what, id);
  }
}
