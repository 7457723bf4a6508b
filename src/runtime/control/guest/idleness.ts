import type { CancelTimer, Clock } from "../../../platform/clock.ts";

/** What counts as idle. */
export interface IdlenessOptions {
  readonly clock: Clock;
  /** For how long there must be no use, in milliseconds; 0: for ever. */
  readonly idleMs: number;
  /** Whether something is kept for later requests. */
  readonly keeps: () => boolean;
  /** Called each time that it has been idle for so long. */
  readonly onIdle: () => void;
}

/** Watches whether a host is in use. */
export class Idleness {
  readonly #options: IdlenessOptions;
  #uses = 0;
  #used = false;
  #cancel: CancelTimer = () => {};

  constructor(options: IdlenessOptions) {
    this.#options = options;
    this.#rest();
  }

  /** The host is in use until the returned function is called. */
  begin(): () => void {
    this.#uses++;
    this.#used = true;
    this.#cancel();
    let over = false;
    return () => {
      if (over) return;
      over = true;
      if (--this.#uses === 0) this.#rest();
    };
  }

  /** Stop watching. */
  close(): void {
    this.#cancel();
    this.#uses = Infinity;
  }

  #rest(): void {
    const { clock, idleMs, keeps, onIdle } = this.#options;
    const restFor = (ms: number) => {
      this.#cancel = clock.after(ms, onIdle);
    };
    // A host that keeps nothing need not wait; but its first request is still on its way.
    if (this.#used && !keeps()) restFor(0);
    else if (idleMs > 0) restFor(idleMs);
  }
}
