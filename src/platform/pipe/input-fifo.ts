import { closeSync, constants, openSync, writeSync } from "node:fs";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import type { InputPipe } from "../process/processes.ts";
import type { FifoPool } from "./fifo-pool.ts";

/** Between two attempts to write to a full pipe, in milliseconds: the pause doubles up to the longest. */
const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 20;

/** So many bytes go into a pipe as a whole or not at all; of more Deno does not say how many did. */
const ATOMIC_BYTES = 4096;

/** A pipe for the standard input of one command. */
export class InputFifo implements InputPipe {
  /** Where another process opens it. */
  readonly path: string;
  /** What a link in /proc/PID/fd shows for it. */
  readonly name: string;
  readonly #pool: FifoPool;
  readonly #held: number;
  readonly #writer: number;
  /** Keeps the bytes until there is a reader; closed then, so that its end is noticed. */
  #keeper: number | undefined;
  #ended = false;

  constructor(pool: FifoPool) {
    this.#pool = pool;
    this.#held = pool.take();
    this.path = `/proc/${process.pid}/fd/${this.#held}`;
    this.name = pool.name(this.#held);
    this.#keeper = openSync(this.path, constants.O_RDWR | constants.O_NONBLOCK);
    this.#writer = openSync(this.path, constants.O_WRONLY | constants.O_NONBLOCK);
  }

  /** Open the end that a process is to read. */
  openReader(): number {
    return openSync(this.path, constants.O_RDONLY);
  }

  /** A process has the pipe open for reading. */
  hasReader(): void {
    if (this.#keeper !== undefined) closeSync(this.#keeper);
    this.#keeper = undefined;
  }

  async write(bytes: Uint8Array): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    for (let at = 0; at < bytes.length;) {
      if (this.#ended) throw new Error("Cannot write input: the command has exited");
      try {
        at += writeSync(this.#writer, bytes, at, Math.min(ATOMIC_BYTES, bytes.length - at));
        pauseMs = FIRST_PAUSE_MS;
      } catch (cause) {
        if (!(cause instanceof Error && "code" in cause && cause.code === "EAGAIN")) throw cause;
        await pause(pauseMs);
        pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
      }
    }
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.hasReader();
    closeSync(this.#writer);
    this.#pool.giveBack(this.#held, false);
  }
}
