import process from "node:process";
import { isMainThread } from "node:worker_threads";
import type { ExitStatus } from "../process/processes.ts";
import type { NativeCalls } from "./native-calls.ts";

/** How often to look without a signal, in milliseconds: only the main thread gets signals. */
const LOOK_MS = isMainThread ? 1_000 : 10;

/** Reports the ends of children that the runtime does not know. */
export class ChildEnds {
  readonly #calls: Pick<NativeCalls, "collect">;
  readonly #living = new Map<number, (status: ExitStatus) => void>();
  readonly #look = () => this.#collectAll();
  /**
   * Keeps the event loop alive while a child lives, which a listener for signals does not, and finds
   * a child whose status another part of this process took.
   */
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(calls: Pick<NativeCalls, "collect">) {
    this.#calls = calls;
  }

  /**
   * Start a child, and call once when it has ended, which is never at once.
   *
   * @param start Starts it and returns its pid; it may throw.
   */
  start(start: () => number, ended: (status: ExitStatus) => void): number {
    // Before the start: the signal of an earlier end would be lost.
    if (this.#timer === undefined) {
      this.#timer = setInterval(this.#look, LOOK_MS);
      process.on("SIGCHLD", this.#look);
    }
    try {
      const pid = start();
      this.#living.set(pid, ended);
      return pid;
    } finally {
      this.#restIfIdle();
    }
  }

  /** One signal may stand for the ends of many. */
  #collectAll(): void {
    for (const [pid, ended] of this.#living) {
      const status = this.#calls.collect(pid);
      if (status === undefined) continue;
      this.#living.delete(pid);
      ended(status);
    }
    this.#restIfIdle();
  }

  #restIfIdle(): void {
    if (this.#living.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    process.off("SIGCHLD", this.#look);
  }
}
