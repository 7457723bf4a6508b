import type { CancelTimer, Clock } from "../../../platform/clock.ts";

/** What counts as idle. */
export interface IdlenessOptions {
  readonly clock: Clock;
  /** How long nobody must want anything, in milliseconds; 0: for ever. */
  readonly idleMs: number;
  /** Whether there is something to be kept for who may come back. */
  readonly keeps: () => boolean;
  /** Called each time that it has been idle for so long. */
  readonly onIdle: () => void;
}

/** Watches whether anybody wants anything of a host. */
export class Idleness {
  readonly #options: IdlenessOptions;
  #wanted = 0;
  #used = false;
  #cancel: CancelTimer = () => {};

  constructor(options: IdlenessOptions) {
    this.#options = options;
    this.#rest();
  }

  /** Somebody wants something, until what this answers is called. */
  begin(): () => void {
    this.#wanted++;
    this.#used = true;
    this.#cancel();
    let over = false;
    return () => {
      if (over) return;
      over = true;
      if (--this.#wanted === 0) this.#rest();
    };
  }

  /** Watch no more. */
  close(): void {
    this.#cancel();
    this.#wanted = Infinity;
  }

  #rest(): void {
    const { clock, idleMs, keeps, onIdle } = this.#options;
    const restFor = (ms: number) => {
      this.#cancel = clock.after(ms, onIdle);
    };
    // A host whose guests left nothing behind need not wait for others; the first one is on its way.
    if (this.#used && !keeps()) restFor(0);
    else if (idleMs > 0) restFor(idleMs);
  }
}
