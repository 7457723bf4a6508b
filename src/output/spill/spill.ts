import type { CancelTimer, Clock } from "../../platform/clock.ts";
import type { SpillFile, SpillFiles, SpillPlace } from "../../platform/file/spill-files.ts";
import type { CommandProcesses } from "../../platform/process/open-files.ts";
import type { Budget } from "./budget.ts";
import { ReadBack } from "./read-back.ts";
import { SpillCheck, type SpillProblem } from "./spill-check.ts";

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
  /** The processes that write, where there are any. */
  readonly writers: () => CommandProcesses | undefined;
}

/**
 * Blocks of the file are written as a whole; what is less waits for more, for a while, or for the
 * end. Where a block is aligned, the system takes it as one piece into its memory, and not by pages;
 * a block as long as what a pipe holds is written while the next one comes.
 */
const BLOCK_BYTES = 64 * 1024;
/** How long, in milliseconds, so that whoever looks at the file sees what was there then. */
const LINGER_MS = 200;

/** Moves a log's bytes into a file, in order and from the first byte on, one write at a time. */
export class Spill {
  readonly #options: SpillOptions;
  readonly #file: SpillFile;
  readonly #check: SpillCheck;
  readonly #back: ReadBack;
  #flushed = 0;
  /** How many bytes are being written. */
  #pending = 0;
  #stopAt = Number.POSITIVE_INFINITY;
  #unnamed = false;
  #busy = false;
  #ended = false;
  #finished = false;
  /** The last look at it was after its last byte. */
  #sealed = false;
  #linger: CancelTimer | undefined;
  /** The offset up to which bytes go out however few they are. */
  #urgent = 0;
  #waiting: (() => void)[] = [];

  /** Makes the file; throws when it cannot. */
  constructor(options: SpillOptions) {
    const { files, freeSpaceBytes, writers } = this.#options = options;
    const file = this.#file = files.create();
    this.#check = new SpillCheck({ file, freeSpaceBytes, writers });
    this.#back = new ReadBack({
      file,
      flushed: () => this.#flushed,
      lost: (reason, at) => this.#lost(reason, at),
      check: () => this.#checkSize(file.size()),
    });
  }

  /** Where the file is. */
  get path(): string {
    return this.#file.path;
  }

  /** Its path leads to it, as far as is known. */
  get named(): boolean {
    return !this.#unnamed;
  }

  /** The disk still holds it: its path leads to it, or it is open here. */
  get exists(): boolean {
    return this.#file.size() !== undefined;
  }

  /** The file holds every byte before this offset. */
  get flushed(): number {
    return this.#flushed;
  }

  /** And every byte before this one can be had back. */
  get readable(): number {
    return this.#back.to;
  }

  /** The oldest byte that must not be forgotten, as the file is still to get it. */
  get pin(): number {
    return this.#flushed < this.#stopAt ? this.#flushed : Number.POSITIVE_INFINITY;
  }

  /** Nothing is written any more, neither now nor later, and the last look at it is over. */
  get finished(): boolean {
    return this.#finished && !this.#busy;
  }

  /** New bytes are there. */
  grown(): void {
    if (this.#busy || this.pin === Number.POSITIVE_INFINITY) return;
    if (this.#flushed === this.#options.source.total) return;
    if (this.#goal() > this.#flushed) this.#start();
    else this.#linger ??= this.#options.clock.after(LINGER_MS, () => this.#lingered());
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

  /** No byte follows. What somebody else did to the file is told before this returns, where the disk tells at once. */
  end(): void {
    this.#ended = true;
    this.#hurry();
    // Who ends it goes on to tell of the end, and the look after the last write comes after that.
    const place = this.#busy ? this.#file.lookNow() : undefined;
    if (place !== undefined) this.#compare(place);
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
  read(into: Uint8Array, from: number): Promise<number> {
    return this.#back.read(into, from);
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

  #lingered(): void {
    this.#linger = undefined;
    if (this.#flushed < this.#options.source.total) this.#hurry();
  }

  #hurry(): void {
    this.#urgent = this.#options.source.total;
    if (!this.#busy) this.#start();
  }

  #start(): void {
    if (this.#finished) return;
    this.#busy = true;
    void this.#run();
  }

  async #run(): Promise<void> {
    try {
      for (let goal = this.#goal(); this.#flushed < goal; goal = this.#goal()) {
        const pending = this.#check.due(this.#flushed) ? this.#look() : this.#write(goal);
        if (pending !== undefined) await pending;
        this.#wake();
      }
    } catch (cause) {
      this.fail(messageOf(cause));
    }
    if (this.#ended && !this.#finished) {
      this.#finished = true;
      this.#linger?.();
      const place = this.#file.finish();
      this.#compare(place instanceof Promise ? await place.catch(() => NOWHERE) : place);
      this.#sealed = true;
    }
    this.#busy = false;
    this.#options.events.moved();
    this.#wake();
    this.grown();
  }

  /** How far to write now: to the end of a block, unless the rest is wanted, too. */
  #goal(): number {
    const goal = Math.min(this.#options.source.total, this.#stopAt);
    if (goal === this.#stopAt || this.#flushed < this.#urgent) return goal;
    return goal - goal % BLOCK_BYTES;
  }

  /** Write a piece; answers what is to be awaited, if the disk does not take it at once. */
  #write(goal: number): Promise<void> | undefined {
    const { source, budget, events } = this.#options;
    const at = this.#flushed;
    const piece = source.view(at, Math.min(goal, at - at % BLOCK_BYTES + BLOCK_BYTES));
    const granted = budget.take(piece.length);
    if (granted === 0) {
      this.#stopAt = at;
      events.limited("runtime", budget.limit);
      return undefined;
    }
    const bytes = piece.subarray(0, granted);
    let written: number | undefined;
    try {
      written = this.#file.writeNow(bytes, at);
    } catch (cause) {
      budget.free(granted);
      throw cause;
    }
    if (written === undefined) return this.#writeLater(bytes, at);
    this.#took(written, granted, at);
    return undefined;
  }

  async #writeLater(bytes: Uint8Array, at: number): Promise<void> {
    let written: number;
    this.#pending = bytes.length;
    try {
      written = await this.#file.write(bytes, at);
    } catch (cause) {
      this.#options.budget.free(bytes.length);
      throw cause;
    } finally {
      this.#pending = 0;
    }
    this.#took(written, bytes.length, at);
  }

  #took(written: number, granted: number, at: number): void {
    const { budget, events } = this.#options;
    // It may have been given up meanwhile, and the bytes overwritten before the disk took them.
    const kept = at < this.#stopAt ? written : 0;
    budget.free(granted - kept);
    if (written === 0) throw new Error(`Cannot write to "${this.path}": no byte was taken`);
    if (kept === 0) return;
    this.#flushed = at + kept;
    events.moved();
  }

  /** Look whether to go on; answers what is to be awaited, if the disk does not tell at once. */
  #look(): Promise<void> | undefined {
    const found = this.#check.look(this.#flushed);
    if (found instanceof Promise) return found.then((problem) => this.#met(problem));
    this.#met(found);
    return undefined;
  }

  #met(problem: SpillProblem | undefined): void {
    const { freeSpaceBytes, events } = this.#options;
    switch (problem) {
      case "changed":
        return this.#checkSize(this.#file.size());
      case "gone":
        return this.#tellLoss();
      case "full":
        this.#stopAt = Math.min(this.#stopAt, this.#flushed);
        return events.limited("disk", freeSpaceBytes);
      case "loop":
        return this.fail(`Cannot go on with "${this.path}": the command reads its own output`);
    }
  }

  /** Tell what somebody else did to it. */
  #compare({ present, size }: Pick<SpillPlace, "present" | "size">): void {
    if (!present) return this.#tellLoss();
    const still = this.#pending === 0;
    if (!still || !this.#check.sound(size, this.#flushed)) this.#checkSize(size);
  }

  /** A file without a name can be written and read on, but only from here. */
  #tellLoss(): void {
    if (this.#unnamed || this.#stopAt === 0) return;
    this.#unnamed = true;
    this.#options.events.failed(`Cannot keep "${this.path}": it was removed or replaced`, 0);
  }

  /**
   * See by its size whether somebody else has cut it short or written to it. What it got since it
   * was seen to be whole may be anywhere then, and what it got before is cut off where it ends.
   */
  #checkSize(size: number | undefined): void {
    if (size === undefined) return;
    const missing = this.#flushed - size;
    // Behind what it takes no more of, others may write what they want.
    const grows = this.pin < Number.POSITIVE_INFINITY && !this.#sealed;
    const excess = grows ? -missing - this.#pending : 0;
    if (missing <= 0 && excess <= 0) return;
    const reason = `Cannot keep "${this.path}": somebody else has changed it`;
    this.#back.lose(
      reason,
      Math.max(0, this.#check.soundTo - Math.max(0, missing + this.#pending)),
    );
  }

  /** Give it up: what is read from it can be trusted up to `at` only, and a longer file would hide that. */
  #lost(reason: string, at: number): void {
    const { events } = this.#options;
    this.#stopAt = Math.min(this.#stopAt, this.#flushed);
    events.failed(reason, at);
    events.moved();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

const NOWHERE: Pick<SpillPlace, "present" | "size"> = { present: false };

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
