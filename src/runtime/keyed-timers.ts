import type { CancelTimer, Clock } from "../platform/clock.ts";

/** Timers by key: a later one takes the place of an earlier one of its key. */
export class KeyedTimers {
  readonly #clock: Clock;
  readonly #timers = new Map<string, CancelTimer>();
  #closed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  later(key: string, afterMs: number, call: () => void): void {
    this.cancel(key);
    if (this.#closed) return;
    const cancel = this.#clock.deadline(afterMs, () => {
      this.#timers.delete(key);
      call();
    });
    this.#timers.set(key, cancel);
  }

  cancel(key: string): void {
    this.#timers.get(key)?.();
    this.#timers.delete(key);
  }

  /** Cancel all, and take no more. */
  close(): void {
    this.#closed = true;
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }
}
