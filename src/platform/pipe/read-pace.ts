/** Whoever writes less at a time is not at full speed. */
const PAGE_BYTES = 4096;
/** So much has to come without a rest before a reader makes the writer's work its own. */
const STREAK_BYTES = 512 * 1024;
/** A longer gap between two chunks, in milliseconds, is a rest. */
const REST_MS = 1;
/** One nap serves all readers: their pipes fill meanwhile, too. For so long, in milliseconds. */
const SERVES_MS = 0.1;

const cell = new Int32Array(new SharedArrayBuffer(4));
let sleeper: ReadPace | undefined;
let wokeAt = 0;

/**
 * Decides when a reader does well to come a moment later.
 *
 * A writer at full speed wakes its reader for every page or two, and the waking costs both of them
 * more than the bytes do: a reader that sleeps for the time in which the pipe fills needs a third
 * less of the processor. Only a stream that has not rested for a while is treated so, and never for
 * longer than a small garbage collection takes.
 */
export class ReadPace {
  #streak = 0;
  #lastAt = 0;

  /** Learn of a chunk; answers whether the stream is at full speed. */
  read(bytes: number): boolean {
    const now = performance.now();
    if (bytes < PAGE_BYTES || now - this.#lastAt > REST_MS) this.#streak = 0;
    this.#lastAt = now;
    this.#streak += bytes;
    return this.#streak > STREAK_BYTES;
  }

  /** Sleep, unless another reader just did. */
  nap(ms: number): void {
    if (sleeper !== this && performance.now() - wokeAt < SERVES_MS) return;
    Atomics.wait(cell, 0, 0, ms);
    sleeper = this;
    wokeAt = this.#lastAt = performance.now();
  }
}
