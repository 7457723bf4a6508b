import type { CommandId } from "../../event/command.ts";
import { hasEnded, type Task } from "../../task/task.ts";
import type { RunResult } from "./result.ts";

/** Who waits for a command. */
type Ended = (result: Promise<RunResult>) => void;

/** Answers to those who wait for commands: who asked for one, until it is released or ends, and all others until it ends. */
export class Answers {
  readonly #result: (task: Task) => Promise<RunResult>;
  readonly #callers = new Map<CommandId, { readonly ended: Ended; readonly release: () => void }>();
  readonly #others = new Map<CommandId, readonly Ended[]>();

  /** @param result Puts together what became of a task so far. */
  constructor(result: (task: Task) => Promise<RunResult>) {
    this.#result = result;
  }

  /** Wait for a command in the name of its caller; `release` is called when that is over. */
  expect(commandId: CommandId, release: () => void): Promise<RunResult> {
    return new Promise((ended) => this.#callers.set(commandId, { ended, release }));
  }

  /** Wait for the end of a task. */
  wait(task: Task): Promise<RunResult> {
    if (hasEnded(task)) return this.#result(task);
    return new Promise((ended) => {
      this.#others.set(task.id, [...this.#others.get(task.id) ?? [], ended]);
    });
  }

  /** The task has ended, or nobody needs to wait for it any more. */
  next(task: Task): void {
    const caller = this.#callers.get(task.id);
    this.#callers.delete(task.id);
    caller?.release();
    caller?.ended(this.#result(task));
    if (!hasEnded(task)) return;
    for (const ended of this.#others.get(task.id) ?? []) ended(this.#result(task));
    this.#others.delete(task.id);
  }
}
