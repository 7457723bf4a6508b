import { Observable } from "rxjs";
import type { CommandId } from "../../event/command.ts";
import type { ExecutionEvent } from "../../event/execution.ts";
import type { ByteSinks } from "../../stream/bytes.ts";
import type { Executor } from "../executor.ts";
import type { AttachedOptions } from "./attached-options.ts";
import { CommandRun } from "./command-run.ts";
import type { CommandRunOptions } from "./ending.ts";

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

  /**
   * Run a command that is ended when it is unsubscribed.
   *
   * @param start Starts it; called unless it was unsubscribed before that.
   */
  attached(
    options: Omit<CommandRunOptions, "subscriber"> & Pick<AttachedOptions, "watchdog">,
    sinks: ByteSinks,
    start: (run: CommandRun) => Promise<void> | void,
  ): Observable<ExecutionEvent> {
    return new Observable((subscriber) => {
      const run = new CommandRun({ ...options, subscriber });
      this.add(run);
      options.watchdog?.start();
      if (run.open(sinks)) start(run)?.catch((cause) => subscriber.error(cause));
      return () => run.unsubscribed();
    });
  }

  /** What an executor answers by its runs. */
  answers(): Required<Pick<Executor, "readers" | "screen" | "send" | "sweep" | "close">> {
    return {
      readers: (commandId) => {
        const readers = this.get(commandId)?.readers() ?? [];
        return readers.length === 0 ? undefined : readers;
      },
      screen: (commandId) => this.get(commandId)?.screen,
      send: (commandId, message) => this.get(commandId)?.send(message) ?? false,
      sweep: async (commandId) => await this.get(commandId)?.stop({ by: "stop" }) ?? [],
      close: () => this.close(),
    };
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
