import { closeSync, constants, openSync } from "node:fs";
import type { FifoPool } from "../pipe/fifo-pool.ts";
import { pathOf } from "./path-of.ts";

/** A pipe for the output of one command after another. */
export interface OutputFifo {
  /** The descriptor that holds it. */
  readonly held: number;
  /** Where a shell opens it. */
  readonly path: string;
  /** What a link in /proc/PID/fd shows for it. */
  readonly name: string;
  /** A reader that waits for nothing; the shell opens it for writing, which waits for a reader. */
  readonly reader: number;
}

/** How many are kept for the next commands. */
const KEPT = 16;

/** Pipes that are open for reading, as to open one costs as much as to read what a short command writes. */
export class OutputFifos {
  readonly #pool: FifoPool;
  readonly #free: OutputFifo[] = [];
  #closed = false;

  constructor(pool: FifoPool) {
    this.#pool = pool;
  }

  take(): OutputFifo {
    return this.#free.pop() ?? this.#open();
  }

  /**
   * Hand one back.
   *
   * @param again It may serve again: nothing is in it, and nobody can write to it.
   * @param asItWas Nobody has made it hold more, which it would do for as long as it is open.
   */
  giveBack(fifo: OutputFifo, again: boolean, asItWas: boolean): void {
    const keep = again && asItWas && !this.#closed && this.#free.length < KEPT;
    if (keep) return void this.#free.push(fifo);
    closeSync(fifo.reader);
    this.#pool.giveBack(fifo.held, again);
  }

  close(): void {
    this.#closed = true;
    for (const fifo of this.#free.splice(0)) this.giveBack(fifo, true, true);
  }

  #open(): OutputFifo {
    const held = this.#pool.take();
    const path = pathOf(held);
    try {
      const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      try {
        return { held, path, name: this.#pool.name(held), reader };
      } catch (cause) {
        closeSync(reader);
        throw cause;
      }
    } catch (cause) {
      this.#pool.giveBack(held, true);
      throw cause;
    }
  }
}
