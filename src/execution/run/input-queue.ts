import type { InputPipe } from "../../platform/process/processes.ts";

/** So many bytes may wait for a command that does not read. */
const LIMIT_BYTES = 1024 * 1024;

/** The input of one command, written in order as the command reads it. */
export class InputQueue {
  readonly #pipe: InputPipe;
  #waiting = 0;
  #ended = false;
  #last: Promise<void> = Promise.resolve();

  constructor(pipe: InputPipe) {
    this.#pipe = pipe;
  }

  /** Append bytes; answers whether they were taken: not after the end, and not while too many wait. */
  write(bytes: Uint8Array, end = false): boolean {
    if (this.#ended || this.#waiting + bytes.length > LIMIT_BYTES) return false;
    this.#ended = end;
    this.#waiting += bytes.length;
    this.#last = this.#last.then(async () => {
      if (bytes.length > 0) await this.#pipe.write(bytes);
      this.#waiting -= bytes.length;
      if (end) this.#pipe.end();
    }).catch(() => {
      // The command reads no more.
      this.#ended = true;
      this.#pipe.end();
    });
    return true;
  }

  /** The command has exited. */
  end(): void {
    this.#ended = true;
    this.#pipe.end();
  }
}
