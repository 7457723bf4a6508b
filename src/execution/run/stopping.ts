import type { ProcessInfo } from "../../platform/process/processes.ts";
import { type KillOptions, KillProtocol } from "../tree/kill-protocol.ts";
import type { ProcessTree } from "../tree/process-tree.ts";
import type { Stop } from "./outcome.ts";

/** How a command is ended. */
export interface StoppingOptions extends Omit<KillOptions, "onSignal"> {
  /** Called for each step of the kill protocol. */
  readonly onSignal: (signal: string, by: Stop["by"]) => void;
}

/** The stop of one command: its first cause, and one kill protocol however often it is asked for. */
export class Stopping {
  readonly #options: StoppingOptions;
  #cause: Stop | undefined;
  #kill: KillProtocol | undefined;
  #survivors: Promise<readonly ProcessInfo[]> | undefined;

  constructor(options: StoppingOptions) {
    this.#options = options;
  }

  /** Why the command was stopped before its exit. */
  get cause(): Stop | undefined {
    return this.#cause;
  }

  get begun(): boolean {
    return this.#kill !== undefined;
  }

  get underWay(): boolean {
    return this.#kill?.over === false;
  }

  get over(): boolean {
    return this.#kill?.over === true;
  }

  /** Remember the cause, unless there is one. */
  because(stop: Stop): void {
    this.#cause ??= stop;
  }

  /**
   * End the processes, unless that has begun.
   *
   * @returns The survivors.
   */
  end(tree: ProcessTree, stop: Stop): Promise<readonly ProcessInfo[]> {
    if (this.#survivors !== undefined) return this.#survivors;
    const { onSignal, ...options } = this.#options;
    const { by } = this.#cause ?? stop;
    const kill = new KillProtocol(tree, {
      ...options,
      onSignal: (signal) => onSignal(signal, by),
    });
    this.#kill = kill;
    // Set before the first signal: a subscriber to that event may stop the command again.
    this.#survivors = kill.survivors;
    kill.begin();
    return this.#survivors;
  }

  /** A process was reported to have ended. */
  lookNow(): void {
    this.#kill?.lookNow();
  }
}
