import type { CancelTimer, Clock } from "./clock.ts";

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly call: () => void;
}

/** A clock that stands still until it is told to move; for tests and for replay. */
export class VirtualClock implements Clock {
  #now: number;
  #order = 0;
  #timers: Timer[] = [];

  /** @param start Milliseconds since the epoch at which it stands first. */
  constructor(start = 0) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  after(ms: number, call: () => void): CancelTimer {
    const timer = { at: this.#now + Math.max(0, ms), order: this.#order++, call };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Whether any timer waits. */
  get idle(): boolean {
    return this.#timers.length === 0;
  }

  /** Move on by `ms` milliseconds, calling every timer that is due on the way, in order. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (let due = this.#next(end); due !== undefined; due = this.#next(end)) {
      this.#now = due.at;
      this.#timers = this.#timers.filter((other) => other !== due);
      due.call();
    }
    this.#now = end;
  }

  #next(end: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.at > end) continue;
      if (
        first === undefined || timer.at < first.at ||
        (timer.at === first.at && timer.order < first.order)
      ) {
        first = timer;
      }
    }
    return first;
  }
}
