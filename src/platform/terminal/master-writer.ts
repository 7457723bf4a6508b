/** How soon a full buffer is tried again at first and at last, in milliseconds: the kernel does not say when it has room. */
const FIRST_RETRY_MS = 1;
const LAST_RETRY_MS = 16;

interface Waiting {
  bytes: Uint8Array;
  readonly resolve: () => void;
  readonly reject: (cause: Error) => void;
}

/** Input on its way into a terminal, in order, as fast as the kernel takes it. */
export class MasterWriter {
  readonly #write: (bytes: Uint8Array) => number;
  readonly #waiting: Waiting[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  /** @param write Writes what fits without blocking, and answers how many bytes that were. */
  constructor(write: (bytes: Uint8Array) => number) {
    this.#write = write;
  }

  /** Append bytes; resolves once all of them are written. */
  write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(closed());
      this.#waiting.push({ bytes, resolve, reject });
      if (this.#timer === undefined) this.#drain(FIRST_RETRY_MS);
    });
  }

  /** Refuse what waits and what comes. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const { reject } of this.#waiting.splice(0)) reject(closed());
  }

  #drain(retryMs: number): void {
    this.#timer = undefined;
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      let written: number;
      try {
        written = this.#write(first.bytes);
      } catch {
        return this.close();
      }
      if (written < first.bytes.length) {
        first.bytes = first.bytes.subarray(written);
        return this.#retry(written > 0 ? FIRST_RETRY_MS : retryMs);
      }
      this.#waiting.shift();
      first.resolve();
    }
  }

  #retry(ms: number): void {
    this.#timer = setTimeout(() => this.#drain(Math.min(2 * ms, LAST_RETRY_MS)), ms);
  }
}

function closed(): Error {
  return new Error("Cannot write to the terminal: it is closed");
}
