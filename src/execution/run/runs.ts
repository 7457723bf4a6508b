import type { CommandId } from "../../event/command.ts";
import type { CommandRun } from "./command-run.ts";
import type { ExecutorMessage } from "../executor.ts";

/** The runs of an executor that are not over yet. */
export class Runs<Run extends CommandRun> {
  readonly #byId: Map<CommandId, Run> = new Map();

  add(commandId: CommandId, run: Run): void {
    this.#byId.set(commandId, run);
  }

  forget(commandId: CommandId): void {
    this.#byId.delete(commandId);
  }

  /** Tell a run something; answers whether it was there to be told, `undefined` when it is not known. */
  send(commandId: CommandId, message: ExecutorMessage): boolean | undefined {
    const run = this.#byId.get(commandId);
    if (run === undefined) return undefined;
    if (message.type === "signal") return run.signal(message.signal);
    void run.stop({ by: message.by });
    return true;
  }

  /**
   * End all of them.
   *
   * @param stopped Called once nothing of them runs, to end who holds their outputs open.
   */
  async close(stopped: () => void = () => {}): Promise<void> {
    const all = [...this.#byId.values()];
    await Promise.all(all.map((run) => run.stop({ by: "close" })));
    stopped();
    await Promise.all(all.map((run) => run.finished));
  }
}
