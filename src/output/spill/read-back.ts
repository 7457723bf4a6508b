import type { SpillFile } from "../../platform/file/spill-files.ts";

/** What reading back needs. */
export interface ReadBackOptions {
  readonly file: SpillFile;
  /** The file got every byte before this offset. */
  readonly flushed: () => number;
  /** The file has lost what it got from `at` on. */
  readonly lost: (reason: string, at: number) => void;
  /** Look whether somebody else has changed the file, and if so, call {@linkcode ReadBack.lose}. */
  readonly check: () => void;
}

/** Reads what a spill file holds, and tells what it holds no more. */
export class ReadBack {
  readonly #options: ReadBackOptions;
  #lostAt = Number.POSITIVE_INFINITY;

  constructor(options: ReadBackOptions) {
    this.#options = options;
  }

  /** Every byte before this offset can be had. */
  get to(): number {
    return Math.min(this.#options.flushed(), this.#lostAt);
  }

  /** Tell that what the file got from `at` on is lost, unless that is known. */
  lose(reason: string, at: number): void {
    if (at >= this.to) return;
    this.#lostAt = at;
    this.#options.lost(reason, at);
  }

  /** Read from an offset on; fewer bytes than asked for mean that the file lost them, and that it is told. */
  async read(into: Uint8Array, from: number): Promise<number> {
    const { file, check } = this.#options;
    let size = 0;
    try {
      while (size < into.length) {
        const read = await file.read(into.subarray(size), from + size);
        if (read === 0) break;
        size += read;
      }
    } catch (cause) {
      this.lose(
        cause instanceof Error ? cause.message : String(cause),
        size === 0 ? 0 : from + size,
      );
      return size;
    }
    check();
    return Math.min(size, Math.max(0, this.#lostAt - from));
  }
}
