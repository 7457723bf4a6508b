import type { ByteLog } from "./byte-log.ts";

/** How much of what ended is kept. */
export interface RetentionOptions {
  /** How many logs of ended commands. */
  readonly logs: number;
  /** How many bytes of ended commands, memory and files together. */
  readonly bytes: number;
}

/** Releases the logs that ended first once too much is kept. */
export class Retention {
  readonly #options: RetentionOptions;
  readonly #release: (log: ByteLog) => void;
  readonly #ended = new Map<ByteLog, number>();
  #bytes = 0;

  constructor(options: RetentionOptions, release: (log: ByteLog) => void) {
    this.#options = options;
    this.#release = release;
  }

  /** A command's stream ended. The newest is kept however large it is. */
  add(log: ByteLog): void {
    const size = log.memoryBytes + log.fileBytes;
    this.#ended.set(log, size);
    this.#bytes += size;
    const { logs, bytes } = this.#options;
    for (const [oldest, freed] of this.#ended) {
      if (this.#ended.size <= logs && this.#bytes <= bytes) return;
      if (oldest === log) return;
      this.#ended.delete(oldest);
      this.#bytes -= freed;
      this.#release(oldest);
    }
  }
}
