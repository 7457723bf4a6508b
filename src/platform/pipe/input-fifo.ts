import { closeSync, constants, openSync } from "node:fs";
import { Socket } from "node:net";
import process from "node:process";
import type { InputPipe } from "../process/processes.ts";
import { fifoName, type FifoPool } from "./fifo-pool.ts";
import { POLLS_OPENED } from "./read-pipe.ts";
import { cannotWrite, streamInput } from "./stream-input.ts";
import { writeAvailable } from "../non-blocking.ts";
import { writeInOrder } from "../write-in-order.ts";

/** A pipe for the standard input of one command. */
export class InputFifo implements InputPipe {
  /** Where another process opens it. */
  readonly path: string;
  /** What a link in /proc/PID/fd shows for it. */
  readonly name: string;
  readonly #held: number;
  readonly #pipe: InputPipe;
  /** Keeps the bytes until there is a reader; closed then, so that its end is noticed. */
  #keeper: number | undefined;
  #ended = false;

  constructor(pool: FifoPool) {
    this.#held = pool.take();
    this.path = `/proc/${process.pid}/fd/${this.#held}`;
    try {
      this.name = fifoName(this.#held);
      this.#keeper = openSync(this.path, constants.O_RDWR | constants.O_NONBLOCK);
      const writer = openSync(this.path, constants.O_WRONLY | constants.O_NONBLOCK);
      this.#pipe = POLLS_OPENED
        ? streamInput(new Socket({ fd: writer, readable: false, writable: true }))
        : tryAtIntervals(writer);
    } catch (cause) {
      this.hasReader();
      closeSync(this.#held);
      throw cause;
    }
  }

  /** Open the end that a process is to read. */
  openReader(): number {
    return openSync(this.path, constants.O_RDONLY);
  }

  /** A process has the pipe open for reading, or never will. */
  hasReader(): void {
    if (this.#keeper !== undefined) closeSync(this.#keeper);
    this.#keeper = undefined;
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#pipe.write(bytes);
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.hasReader();
    this.#pipe.end();
    closeSync(this.#held);
  }
}

/** So many bytes go into a pipe as a whole or not at all; of more Deno does not say how many did. */
const ATOMIC_BYTES = 4096;

/** Where the event loop cannot wait for a FIFO. */
function tryAtIntervals(fd: number): InputPipe {
  const write = writeInOrder((bytes) => writeAvailable(fd, bytes.subarray(0, ATOMIC_BYTES)));
  let ended = false;
  return {
    write: async (bytes) => {
      if (ended) throw new Error("Cannot write input: it has ended");
      await write(bytes).catch((cause) => {
        throw cannotWrite(cause);
      });
    },
    end: () => {
      if (ended) return;
      ended = true;
      void write(new Uint8Array()).then(() => closeSync(fd));
    },
  };
}
