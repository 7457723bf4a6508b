import type { CancelTimer, Clock } from "./clock.ts";

interface Timer {
  readonly at: number;
  readonly call: () => void;
}

/** As it was when this was loaded: a test that fakes timers would stop this clock. */
const realTimeout = globalThis.setTimeout;

/** How a {@linkcode VirtualClock} moves. */
export interface VirtualClockOptions {
  /** Jump to the next timer whenever the event loop has nothing else to do; default `false`. */
  readonly automatic?: boolean;
}

/** A clock that stands still until it is moved; for tests and for replay. */
export class VirtualClock implements Clock {
  readonly #automatic: boolean;
  #now: number;
  #scheduled = false;
  readonly #timers = new Set<Timer>();

  /** @param start Milliseconds since the epoch at which it stands first. */
  constructor(start = 0, { automatic = false }: VirtualClockOptions = {}) {
    checkMs(start);
    this.#now = start;
    this.#automatic = automatic;
  }

  get jumps(): boolean {
    return this.#automatic;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  after(ms: number, call: () => void): CancelTimer {
    const timer = { at: this.#now + Math.max(0, ms), call };
    this.#timers.add(timer);
    this.#schedule();
    return () => void this.#timers.delete(timer);
  }

  deadline(ms: number, call: () => void): CancelTimer {
    return this.after(ms, call);
  }

  /** Whether no timer waits. */
  get idle(): boolean {
    return this.#timers.size === 0;
  }

  /** Move on by `ms` milliseconds, calling every timer that is due on the way, in order. */
  advance(ms: number): void {
    checkMs(ms);
    const end = this.#now + ms;
    for (let due = this.#next(); due !== undefined && due.at <= end; due = this.#next()) {
      this.#fire(due);
    }
    this.#now = end;
  }

  #fire(timer: Timer): void {
    this.#now = Math.max(this.#now, timer.at);
    this.#timers.delete(timer);
    timer.call();
  }

  #schedule(): void {
    if (!this.#automatic || this.#scheduled) return;
    this.#scheduled = true;
    realTimeout(() => {
      this.#scheduled = false;
      const due = this.#next();
      if (due === undefined) return;
      this.#fire(due);
      this.#schedule();
    }, 0);
  }

  #next(): Timer | undefined {
    let first: Timer | undefined;
    // In the order in which they were set, which decides between those of the same time.
    for (const timer of this.#timers) {
      if (first === undefined || timer.at < first.at) first = timer;
    }
    return first;
  }
}

/** @throws {TypeError} When a clock cannot stand there, or be moved by so much. */
function checkMs(ms: number): void {
  if (typeof ms === "number" && ms >= 0) return;
  throw new TypeError(`Cannot set a clock by "${ms}" milliseconds: it must be a number, 0 or more`);
}
