import { signalNames } from "../../platform/process/signals/signal-numbers.ts";

/** Whoever is ended by a signal is gone within this time, in milliseconds, also when it dumps core or cleans up first. */
export const AT_WORK_MS = 5_000;

/** The signals that were sent to a command on request, by the time at which one of them last was. */
export class SentSignals {
  readonly #sentAt = new Map<string, number>();

  add(name: string, atMs: number): void {
    // Sent as IOT, it is told as ABRT.
    for (const each of signalNames(name)) this.#sentAt.set(each, atMs);
  }

  /** When one was sent last. */
  get lastMs(): number {
    return Math.max(...this.#sentAt.values());
  }

  /**
   * Those that may have ended a command which was known to live at a time. One that came long before
   * that was caught, which KILL never is: if the same signal ended the command, somebody else had
   * sent it.
   */
  at(livedMs: number): ReadonlySet<string> {
    const meant = [...this.#sentAt].filter(([name, sentMs]) =>
      name === "SIGKILL" || livedMs - sentMs <= AT_WORK_MS
    );
    return new Set(meant.map(([name]) => name));
  }
}
