import type { SpillFile } from "../../platform/file/spill-files.ts";

/** What reading back needs. */
export interface ReadBackOptions {
  readonly file: SpillFile;
  /** The file got every byte before this offset. */
  readonly flushed: () => number;
  /** The file has lost what it got from `at` on. */
  readonly lost: (reason: string, at: number) => void;
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

  /** Read from an offset on; fewer bytes than asked for mean that the file lost them, and that it is told. */
  async read(into: Uint8Array, from: number): Promise<number> {
    const { file, lost } = this.#options;
    let size = 0;
    try {
      while (size < into.length) {
        const read = await file.read(into.subarray(size), from + size);
        if (read === 0) throw new Error(`Cannot read "${file.path}": it was cut short`);
        size += read;
      }
    } catch (cause) {
      const at = size === 0 ? 0 : from + size;
      if (at < this.to) {
        this.#lostAt = at;
        lost(cause instanceof Error ? cause.message : String(cause), at);
      }
    }
    return size;
  }
}
