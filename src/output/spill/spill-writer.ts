import type { SpillFile, SpillFiles } from "../../platform/file/spill-files.ts";
import { Waiters } from "../read/waiters.ts";
import type { Budget } from "./budget.ts";

/** Where the bytes are that the file does not have yet. */
export interface SpillSource {
  /** The offset after the newest byte. */
  readonly total: number;
  /** Bytes from an offset on, in one piece; they stay as they are until the file has them. */
  view(from: number, to: number): Uint8Array;
}

/** What happens to a file. */
export interface SpillEvents {
  /** The file has more bytes, or takes none any more. */
  readonly moved: () => void;
  /** The file takes no more: it holds the bytes before `at`. */
  readonly failed: (reason: string, at: number) => void;
  /** A limit was reached. */
  readonly limited: (scope: "runtime" | "disk", limitBytes: number) => void;
}

/** What spilling needs. */
export interface SpillWriterOptions {
  readonly files: SpillFiles;
  readonly source: SpillSource;
  readonly events: SpillEvents;
  readonly budget: Budget;
  /** How much of the disk is left free, in bytes; 0 does not look. */
  readonly freeSpaceBytes: number;
}

/** Most bytes of one write, so that a slow disk and the command work at the same time. */
const WRITE_BYTES = 64 * 1024;
/** How many bytes go by between two looks at the free space. */
const LOOK_BYTES = 16 * 1024 * 1024;

/** Moves a log's bytes into a file, in order and from the first byte on, one write at a time. */
export class SpillWriter {
  readonly #options: SpillWriterOptions;
  readonly #file: SpillFile;
  #flushed = 0;
  #stopAt = Number.POSITIVE_INFINITY;
  /** At how many bytes the free space is looked at next. */
  #lookAt: number;
  #busy = false;
  #ended = false;
  readonly #progress = new Waiters();

  /** Makes the file; throws when it cannot. */
  constructor(options: SpillWriterOptions) {
    this.#options = options;
    this.#file = options.files.create();
    this.#lookAt = options.freeSpaceBytes > 0 ? 0 : Number.POSITIVE_INFINITY;
  }

  /** Where the file is. */
  get path(): string {
    return this.#file.path;
  }

  /** The file holds every byte before this offset. */
  get flushed(): number {
    return this.#flushed;
  }

  /** The oldest byte that must stay in memory, as the file is still to get it; infinite when there is none. */
  get pin(): number {
    return this.#flushed < this.#stopAt ? this.#flushed : Number.POSITIVE_INFINITY;
  }

  /** There are new bytes: write them, unless that is under way. */
  grown(): void {
    if (!this.#busy && this.#flushed < this.#goal) void this.#run();
  }

  /** Write no byte from this offset on. */
  stopAt(offset: number): void {
    this.#stopAt = Math.min(this.#stopAt, Math.max(offset, this.#flushed));
    this.grown();
  }

  /** Write nothing more: the file cannot take it. */
  fail(reason: string): void {
    if (this.#stopAt <= this.#flushed) return;
    this.#stopAt = this.#flushed;
    this.#options.events.failed(reason, this.#flushed);
    this.#options.events.moved();
  }

  /** No byte follows. */
  end(): void {
    this.#ended = true;
    if (!this.#busy) void this.#run();
  }

  /** Resolves when every byte of now is in the file, or will never be; after the end, when the file is complete. */
  async written(): Promise<void> {
    const goal = this.#options.source.total;
    while (this.#busy && (this.#ended || this.#flushed < goal)) {
      await new Promise<void>((resolve) => void this.#progress.add(resolve));
    }
  }

  /** Read what the file holds; answers how many bytes it still had. */
  async read(into: Uint8Array, from: number): Promise<number> {
    let size = 0;
    try {
      while (size < into.length) {
        const read = await this.#file.read(into.subarray(size), from + size);
        if (read === 0) break;
        size += read;
      }
    } catch {
      // It was changed from outside: what is missing is a gap to the reader.
    }
    return size;
  }

  /** Delete the file. */
  remove(): void {
    this.#options.budget.free(this.#flushed);
    this.#flushed = 0;
    this.#stopAt = 0;
    this.#file.remove();
  }

  /** How far to write now. */
  get #goal(): number {
    return Math.min(this.#options.source.total, this.#stopAt);
  }

  async #run(): Promise<void> {
    this.#busy = true;
    try {
      while (this.#flushed < this.#goal) {
        if (this.#flushed >= this.#lookAt) await this.#look();
        const at = this.#flushed;
        const bytes = this.#granted(at);
        if (bytes.length === 0) continue;
        let written = 0;
        try {
          const taken = this.#file.write(bytes);
          written = typeof taken === "number" ? taken : await taken;
        } finally {
          // After it was given up, the bytes may have been overwritten before the disk took them.
          if (at >= this.#stopAt) written = 0;
          this.#options.budget.free(bytes.length - written);
        }
        if (written === 0) throw new Error(`Cannot write to "${this.path}": no byte was taken`);
        this.#flushed = at + written;
        this.#options.events.moved();
        this.#progress.wake();
      }
    } catch (cause) {
      this.fail(cause instanceof Error ? cause.message : String(cause));
    }
    this.#busy = false;
    if (this.#ended) this.#file.finish();
    this.#options.events.moved();
    this.#progress.wake();
    this.grown();
  }

  /** The next bytes, as far as the budget of all files reaches. */
  #granted(at: number): Uint8Array {
    const { source, budget, events } = this.#options;
    const piece = source.view(at, Math.min(this.#goal, at + WRITE_BYTES));
    const granted = budget.take(piece.length);
    if (granted === 0 && piece.length > 0) {
      this.#stopAt = at;
      events.limited("runtime", budget.limit);
    }
    return piece.subarray(0, granted);
  }

  async #look(): Promise<void> {
    const { files, freeSpaceBytes, events } = this.#options;
    this.#lookAt = this.#flushed + LOOK_BYTES;
    if (await files.freeBytes() >= freeSpaceBytes + LOOK_BYTES) return;
    if (this.#stopAt <= this.#flushed) return;
    this.#stopAt = this.#flushed;
    events.limited("disk", freeSpaceBytes);
  }
}
