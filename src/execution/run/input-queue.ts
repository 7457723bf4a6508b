import type { InputPipe } from "../../platform/process/processes.ts";
import type { InputMessage } from "../executor.ts";

/** So many bytes may wait for a command that does not read; a single message may have more. */
const LIMIT_BYTES = 1024 * 1024;

/** The input of one command, written as the command reads it. */
export class InputQueue {
  readonly #pipe: InputPipe;
  #waiting = 0;
  #ended = false;

  constructor(pipe: InputPipe) {
    this.#pipe = pipe;
  }

  /** Append bytes; answers whether they were taken: not after the end, and not while too many wait. */
  write({ bytes, end = false, written = () => {} }: InputMessage): boolean {
    if (this.#ended) return false;
    if (this.#waiting > 0 && this.#waiting + bytes.length > LIMIT_BYTES) return false;
    this.#waiting += bytes.length;
    const taken = bytes.length > 0 ? this.#pipe.write(bytes) : Promise.resolve();
    if (end) this.end();
    taken.then(() => {
      this.#waiting -= bytes.length;
      written();
    }, (cause) => {
      this.end();
      written(new Error("Cannot write input: the command reads no more", { cause }));
    });
    return true;
  }

  /** Nothing follows, as after its exit. */
  end(): void {
    this.#ended = true;
    this.#pipe.end();
  }
}
