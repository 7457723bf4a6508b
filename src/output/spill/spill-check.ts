import type { SpillFile, SpillFiles } from "../../platform/file/spill-files.ts";

/** What is looked at. */
export interface SpillCheckOptions {
  readonly files: SpillFiles;
  readonly file: SpillFile;
  /** Leave at least so many bytes of the disk free; 0 does not look. */
  readonly freeSpaceBytes: number;
  /** The first of the processes that write: whoever of them reads the file never comes to its end. */
  readonly leader: () => number | undefined;
}

/** What keeps a file from taking more. */
export type SpillProblem = "gone" | "full" | "loop";

/** How many bytes go by between two looks at the disk. */
const EVERY_BYTES = 16 * 1024 * 1024;
/** From here on a file that its own command reads is found, at the latest when it has doubled. */
const FIRST_LOOP_BYTES = 1024 * 1024;

/** Looks every so many bytes whether a spill file can go on: it costs more than writing them does. */
export class SpillCheck {
  readonly #options: SpillCheckOptions;
  #nextAt = 0;
  #nextLoopAt = FIRST_LOOP_BYTES;

  constructor(options: SpillCheckOptions) {
    this.#options = options;
  }

  /** Whether it is time to look before more is written. */
  due(flushed: number): boolean {
    return flushed >= this.#nextAt || flushed >= this.#nextLoopAt;
  }

  /** Is its path still the file's, is there room, and is it not fed with itself? */
  async look(flushed: number): Promise<SpillProblem | undefined> {
    const { files, file, freeSpaceBytes, leader } = this.#options;
    if (flushed >= this.#nextLoopAt) {
      this.#nextLoopAt = 2 * flushed;
      const pid = leader();
      if (pid !== undefined && file.isOpenBy(pid)) return "loop";
    }
    if (flushed < this.#nextAt) return undefined;
    this.#nextAt = flushed + EVERY_BYTES;
    if (!(await file.present())) return "gone";
    if (freeSpaceBytes === 0) return undefined;
    // A system that does not tell how much is free will tell when nothing is.
    const free = await files.freeBytes().catch(() => Number.POSITIVE_INFINITY);
    return free < freeSpaceBytes + EVERY_BYTES ? "full" : undefined;
  }
}
