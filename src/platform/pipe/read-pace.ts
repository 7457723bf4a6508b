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

/** After a nap that took too long readers wait awake, and try another after so many milliseconds. */
const AWAKE_MS = 1_000;
/** How long they wait awake, in milliseconds: a writer at full speed brings a few pages meanwhile. */
const WAIT_MS = 0.02;

/** The time in which readers work and sleep; those that share it share their naps. */
export interface ReadTime {
  /** In milliseconds, never backwards. */
  readonly now: () => number;
  /** Let nothing of this thread go on for so many milliseconds; a system adds some time of its own. */
  readonly sleep: (ms: number) => void;
  /** The same without giving the processor away, and therefore exact. */
  readonly wait: (ms: number) => void;
}

/** How long a reader may rest, by what its pipe holds. */
export interface Rest {
  /** How long to sleep, in milliseconds, without what the system adds. */
  readonly napMs: number;
  /** In so many milliseconds a writer at full speed fills the pipe, and waits from then on. */
  readonly fillMs: number;
}

/** What Linux gives a pipe is 64 KiB; the shortest nap that there is leaves room for what is added. */
export const PIPE_REST: Rest = { napMs: 0.001, fillMs: 0.065 };

const cell = new Int32Array(new SharedArrayBuffer(4));
const now = () => performance.now();
const systemTime: ReadTime = {
  now,
  sleep: (ms) => void Atomics.wait(cell, 0, 0, ms),
  wait: (ms) => {
    const end = now() + ms;
    while (now() < end);
  },
};

/** A nap that is over. */
interface Nap {
  readonly by: ReadPace;
  readonly until: number;
  /** By how much it was longer than asked for. */
  readonly lateMs: number;
}

/** The last nap of each time. */
const naps = new WeakMap<ReadTime, Nap>();

/**
 * Decides when a reader whose event loop cannot wait for pipes does well to come a moment later.
 *
 * A writer at full speed wakes its reader for every page or two, and the waking costs both of them
 * more than the bytes do: a reader that sleeps for the time in which the pipe fills needs a third
 * less of the processor. Only a stream that has not rested for a while is treated so, and never for
 * longer than a small garbage collection takes. Who has worked on a chunk, as one does who writes
 * it to a disk, finds enough in the pipe without any sleep. Where the system wakes its sleepers so
 * late that the pipe is full before, as virtual machines do at times, the reader waits awake.
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

  /** Its work is done: rest, unless that, or another reader's nap, was long enough. */
  rest({ napMs, fillMs }: Rest): void {
    const time = this.#time;
    const start = time.now();
    const worked = start - this.#lastAt >= Math.max(napMs, WORK_MS);
    this.#lastAt = start;
    if (worked) return;
    const last = naps.get(time);
    if (last !== undefined && last.by !== this && start - last.until < SERVES_MS) return;
    if (last !== undefined && napMs + last.lateMs > fillMs && start - last.until < AWAKE_MS) {
      time.wait(WAIT_MS);
      this.#lastAt = time.now();
      return;
    }
    this.nap(napMs);
  }

  /** Sleep for so many milliseconds, in any case. */
  nap(ms: number): void {
    const time = this.#time;
    const start = time.now();
    time.sleep(ms);
    const until = time.now();
    this.#lastAt = until;
    naps.set(time, { by: this, until, lateMs: until - start - ms });
  }
}
