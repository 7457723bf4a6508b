import type { InputPipe } from "../../platform/process/processes.ts";
import type { InputMessage } from "../executor.ts";

/** So many bytes may wait for a command that does not read; a single message may have more. */
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
  write({ bytes, end = false, written = () => {} }: InputMessage): boolean {
    if (this.#ended) return false;
    if (this.#waiting > 0 && this.#waiting + bytes.length > LIMIT_BYTES) return false;
    this.#ended = end;
    this.#waiting += bytes.length;
    this.#last = this.#last.then(async () => {
      if (bytes.length > 0) await this.#pipe.write(bytes);
      this.#waiting -= bytes.length;
      if (end) this.#pipe.end();
      written();
    }).catch((cause) => {
      // The command reads no more.
      this.#ended = true;
      this.#pipe.end();
      written(new Error("Cannot write input: the command reads no more", { cause }));
    });
    return true;
  }

  /** The command has exited. */
  end(): void {
    this.#ended = true;
    this.#pipe.end();
  }
}
