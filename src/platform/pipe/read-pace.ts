/** Whoever writes less at a time is not at full speed. */
const PAGE_BYTES = 4096;
/** So much has to come without a rest before a reader makes the writer's work its own. */
const STREAK_BYTES = 512 * 1024;
/** A longer gap between two chunks, in milliseconds, is a rest. */
const REST_MS = 1;
/** One nap serves all readers: their pipes fill meanwhile, too. For so long, in milliseconds. */
const SERVES_MS = 0.1;
/** Whoever worked on a chunk for so long, in milliseconds, has given its writer a start. */
const WORK_MS = 0.015;

/** The time in which readers work and sleep; those that share it share their naps. */
export interface ReadTime {
  /** In milliseconds, never backwards. */
  readonly now: () => number;
  /** Let nothing of this thread go on for so many milliseconds. */
  readonly sleep: (ms: number) => void;
}

const cell = new Int32Array(new SharedArrayBuffer(4));
const systemTime: ReadTime = {
  now: () => performance.now(),
  sleep: (ms) => void Atomics.wait(cell, 0, 0, ms),
};

/** Who slept last, and until when. */
const naps = new WeakMap<ReadTime, { readonly by: ReadPace; readonly until: number }>();

/**
 * Decides when a reader does well to come a moment later.
 *
 * A writer at full speed wakes its reader for every page or two, and the waking costs both of them
 * more than the bytes do: a reader that sleeps for the time in which the pipe fills needs a third
 * less of the processor. Only a stream that has not rested for a while is treated so, and never for
 * longer than a small garbage collection takes. Who has worked on a chunk, as one does who writes
 * it to a disk, finds enough in the pipe without any sleep.
 */
export class ReadPace {
  readonly #time: ReadTime;
  #streak = 0;
  #lastAt = 0;

  constructor(time: ReadTime = systemTime) {
    this.#time = time;
  }

  /** A chunk came, and is about to be worked on; answers whether the stream is at full speed. */
  read(bytes: number): boolean {
    const now = this.#time.now();
    if (bytes < PAGE_BYTES || now - this.#lastAt > REST_MS) this.#streak = 0;
    this.#lastAt = now;
    this.#streak += bytes;
    return this.#streak > STREAK_BYTES;
  }

  /** Its work is done: sleep, unless that, or another reader's sleep, was long enough. */
  nap(ms: number): void {
    const now = this.#time.now();
    const worked = now - this.#lastAt >= Math.max(ms, WORK_MS);
    this.#lastAt = now;
    if (worked || this.#isServed(now)) return;
    this.#time.sleep(ms);
    this.#lastAt = this.#time.now();
    naps.set(this.#time, { by: this, until: this.#lastAt });
  }

  /** Whether another reader has just slept. */
  #isServed(now: number): boolean {
    const last = naps.get(this.#time);
    return last !== undefined && last.by !== this && now - last.until < SERVES_MS;
  }
}
