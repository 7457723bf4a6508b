import type { CommandId } from "../../event/command.ts";
import type { ExecutorMessage } from "../executor.ts";
import type { CommandRun } from "./command-run.ts";

/** The runs of an executor that are not over yet. */
export class RunningCommands {
  readonly #byId: Map<CommandId, CommandRun> = new Map();

  add(run: CommandRun): void {
    const { commandId } = run;
    this.#byId.set(commandId, run);
    void run.finished.then(() => {
      if (this.#byId.get(commandId) === run) this.#byId.delete(commandId);
    });
  }

  get(commandId: CommandId): CommandRun | undefined {
    return this.#byId.get(commandId);
  }

  /** Send a message to a run; answers whether it was taken. */
  send(commandId: CommandId, message: ExecutorMessage): boolean {
    return this.#byId.get(commandId)?.send(message) ?? false;
  }

  /** The processes that read the input of a run; `undefined` when that is not known. */
  readers(commandId: CommandId): readonly (readonly string[])[] | undefined {
    const readers = this.#byId.get(commandId)?.readers();
    return readers === undefined || readers.length === 0 ? undefined : readers;
  }

  /** Follow none of them any more; their processes go on. */
  abandon(): void {
    for (const run of this.#byId.values()) run.abandon();
  }

  /**
   * End all of them.
   *
   * @param stopped Called once nothing of them runs, to end whatever holds their outputs open.
   */
  async close(stopped: () => void = () => {}): Promise<void> {
    const all = [...this.#byId.values()];
    await Promise.all(all.map((run) => run.stop({ by: "close" })));
    stopped();
    await Promise.all(all.map((run) => run.finished));
  }
}
