import type { CancelTimer, Clock } from "../../platform/clock.ts";
import type { SpillFile, SpillFiles } from "../../platform/file/spill-files.ts";
import type { Budget } from "./budget.ts";

/** Where the bytes are that the file does not have yet. */
export interface SpillSource {
  /** The offset after the newest byte. */
  readonly total: number;
  /** Bytes from an offset on, in one piece; they stay as they are until {@linkcode Spill.flushed} has passed them. */
  view(from: number, to: number): Uint8Array;
}

/** What a spill tells its log. */
export interface SpillEvents {
  /** The file has more bytes, or takes none any more. */
  readonly moved: () => void;
  /** The file cannot be used any more: it holds the bytes before `at`. */
  readonly failed: (reason: string, at: number) => void;
  /** A limit was reached. */
  readonly limited: (scope: "runtime" | "disk", limitBytes: number) => void;
}

/** What spilling needs. */
export interface SpillOptions {
  readonly files: SpillFiles;
  readonly clock: Clock;
  readonly source: SpillSource;
  readonly events: SpillEvents;
  readonly budget: Budget;
  /** Leave at least so many bytes of the disk free; 0 does not look. */
  readonly freeSpaceBytes: number;
}

/** Smaller writes wait for more bytes, for a while, or for the end. */
const BATCH_BYTES = 128 * 1024;
/** How long, in milliseconds, so that whoever looks at the file sees what was there then. */
const LINGER_MS = 200;
/** Longer ones would keep the queue from being freed in time. */
const WRITE_BYTES = 256 * 1024;
/** How many bytes go by between two looks at the disk. */
const CHECK_BYTES = 16 * 1024 * 1024;

/** Moves a log's bytes into a file, in order and from the first byte on, one write at a time. */
export class Spill {
  readonly #options: SpillOptions;
  readonly #file: SpillFile;
  #flushed = 0;
  #stopAt = Number.POSITIVE_INFINITY;
  #checkAt = 0;
  #unnamed = false;
  #lostAt = Number.POSITIVE_INFINITY;
  #busy = false;
  #ended = false;
  #finished = false;
  #linger: CancelTimer | undefined;
  /** The offset up to which bytes go out however few they are. */
  #urgent = 0;
  #waiting: (() => void)[] = [];

  /** Makes the file; throws when it cannot. */
  constructor(options: SpillOptions) {
    this.#options = options;
    this.#file = options.files.create();
  }

  /** Where the file is. */
  get path(): string {
    return this.#file.path;
  }

  /** The file holds every byte before this offset. */
  get flushed(): number {
    return this.#flushed;
  }

  /** And every byte before this one can be had back. */
  get readable(): number {
    return Math.min(this.#flushed, this.#lostAt);
  }

  /** The oldest byte that must not be forgotten, as the file is still to get it. */
  get pin(): number {
    return this.#flushed < this.#stopAt ? this.#flushed : Number.POSITIVE_INFINITY;
  }

  /** Nothing is written any more, neither now nor later. */
  get finished(): boolean {
    return this.#finished;
  }

  /** New bytes are there. */
  grown(): void {
    if (this.#busy || this.pin === Number.POSITIVE_INFINITY) return;
    if (this.#goal() > this.#flushed) this.#start();
    else this.#linger ??= this.#options.clock.after(LINGER_MS, () => this.#hurry());
  }

  /** Keep no byte from this offset on. */
  stopAt(offset: number): void {
    this.#stopAt = Math.min(this.#stopAt, Math.max(offset, this.#flushed));
    this.#hurry();
  }

  /** The file is of no use any more: nothing more is written. */
  fail(reason: string): void {
    if (this.#stopAt <= this.#flushed) return;
    this.#stopAt = this.#flushed;
    this.#options.events.failed(reason, this.#flushed);
    this.#options.events.moved();
  }

  /** No byte follows. */
  end(): void {
    this.#ended = true;
    this.#hurry();
  }

  /** Resolves when every byte of now is in the file, or will never be; after the end, when the file is complete. */
  async written(): Promise<void> {
    const goal = this.#options.source.total;
    this.#hurry();
    while (this.#busy && (this.#ended || this.#flushed < goal)) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Read what the file holds; fewer bytes than asked for mean that it lost them, and that it is told. */
  async read(into: Uint8Array, from: number): Promise<number> {
    let size = 0;
    try {
      while (size < into.length) {
        const read = await this.#file.read(into.subarray(size), from + size);
        if (read === 0) throw new Error(`Cannot read "${this.path}": it was cut short`);
        size += read;
      }
    } catch (cause) {
      const at = size === 0 ? 0 : from + size;
      if (at < this.readable) {
        this.#lostAt = at;
        this.#options.events.failed(messageOf(cause), at);
      }
    }
    return size;
  }

  /** Delete the file. */
  remove(): void {
    this.#linger?.();
    this.#options.budget.free(this.#flushed);
    this.#flushed = 0;
    this.#stopAt = 0;
    this.#ended = true;
    this.#finished = true;
    this.#file.remove();
  }

  #hurry(): void {
    this.#urgent = this.#options.source.total;
    if (!this.#busy) this.#start();
  }

  #start(): void {
    this.#linger?.();
    this.#linger = undefined;
    if (this.#finished) return;
    this.#busy = true;
    void this.#run();
  }

  async #run(): Promise<void> {
    try {
      for (let goal = this.#goal(); this.#flushed < goal; goal = this.#goal()) {
        const pending = this.#flushed >= this.#checkAt ? this.#look() : this.#write(goal);
        if (pending !== undefined) await pending;
        this.#wake();
      }
    } catch (cause) {
      this.fail(messageOf(cause));
    }
    if (this.#ended && !this.#finished) {
      this.#finished = true;
      if (!(await this.#file.finish().catch(() => false))) this.#tellLoss();
    }
    this.#busy = false;
    this.#options.events.moved();
    this.#wake();
    this.grown();
  }

  /** How far to write now; what is too little to be worth a write stays for later. */
  #goal(): number {
    const goal = Math.min(this.#options.source.total, this.#stopAt);
    const worthIt = goal - this.#flushed >= BATCH_BYTES || goal === this.#stopAt;
    return worthIt || this.#flushed < this.#urgent ? goal : 0;
  }

  /** Write a piece; answers what is to be awaited, if the disk does not take it at once. */
  #write(goal: number): Promise<void> | undefined {
    const { source, budget, events } = this.#options;
    const at = this.#flushed;
    const piece = source.view(at, Math.min(goal, at + WRITE_BYTES));
    const granted = budget.take(piece.length);
    if (granted === 0) {
      this.#stopAt = at;
      events.limited("runtime", budget.limit);
      return undefined;
    }
    const took = (written: number) => {
      // It may have been given up meanwhile, and the bytes overwritten before the disk took them.
      const kept = at < this.#stopAt ? written : 0;
      budget.free(granted - kept);
      if (written === 0) throw new Error(`Cannot write to "${this.path}": no byte was taken`);
      if (kept === 0) return;
      this.#flushed = at + kept;
      events.moved();
    };
    const failed = (cause: unknown) => {
      budget.free(granted);
      throw cause;
    };
    let answer: number | Promise<number>;
    try {
      answer = this.#file.write(piece.subarray(0, granted), at);
    } catch (cause) {
      return failed(cause);
    }
    if (typeof answer !== "number") return answer.then(took, failed);
    took(answer);
    return undefined;
  }

  /** Is there room, and does the path still lead to the file? */
  async #look(): Promise<void> {
    const { files, freeSpaceBytes, events } = this.#options;
    this.#checkAt = this.#flushed + CHECK_BYTES;
    if (!(await this.#file.present())) return this.#tellLoss();
    if (freeSpaceBytes === 0) return;
    // A system that does not tell how much is free will tell when nothing is.
    const free = await files.freeBytes().catch(() => Number.POSITIVE_INFINITY);
    if (free >= freeSpaceBytes + CHECK_BYTES) return;
    this.#stopAt = Math.min(this.#stopAt, this.#flushed);
    events.limited("disk", freeSpaceBytes);
  }

  /** A file without a name can be written and read on, but only from here. */
  #tellLoss(): void {
    if (this.#unnamed || this.#stopAt === 0) return;
    this.#unnamed = true;
    this.#options.events.failed(`Cannot keep "${this.path}": it was removed or replaced`, 0);
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
