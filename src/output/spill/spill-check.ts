import type { CommandProcesses } from "../../platform/process/open-files.ts";
import type { SpillFile, SpillPlace } from "../../platform/file/spill-files.ts";

/** What is looked at. */
export interface SpillCheckOptions {
  readonly file: SpillFile;
  /** Leave at least so many bytes of the disk free; 0 does not look. */
  readonly freeSpaceBytes: number;
  /** The processes that write, where there are any: whoever of them reads the file never comes to its end. */
  readonly writers: () => CommandProcesses | undefined;
}

/** What keeps a file from taking more. */
export type SpillProblem = "gone" | "changed" | "full" | "loop";

/** How many bytes go by between two looks at the disk. */
const EVERY_BYTES = 16 * 1024 * 1024;
/** From here on a file that its own command reads is found, at the latest when it has doubled. */
const FIRST_LOOP_BYTES = 1024 * 1024;

/** Looks every so many bytes whether a spill file can go on: it costs more than writing them does. */
export class SpillCheck {
  readonly #options: SpillCheckOptions;
  #nextAt = 0;
  #soundTo = 0;
  #nextLoopAt = FIRST_LOOP_BYTES;

  constructor(options: SpillCheckOptions) {
    this.#options = options;
  }

  /** How many bytes the file had when it was seen to have all that it got, and no more. */
  get soundTo(): number {
    return this.#soundTo;
  }

  /** Whether it has as many bytes as it got, at a moment in which none is on its way. */
  sound(size: number | undefined, flushed: number): boolean {
    if (size !== flushed) return false;
    this.#soundTo = flushed;
    return true;
  }

  /** Whether it is time to look before more is written. */
  due(flushed: number): boolean {
    return flushed >= this.#nextAt || flushed >= this.#nextLoopAt;
  }

  /**
   * Is its path still the file's, has it what it got and no more, is there room, and is it not fed
   * with itself? At once, where the disk tells at once.
   */
  look(flushed: number): SpillProblem | undefined | Promise<SpillProblem | undefined> {
    const { file, writers } = this.#options;
    if (flushed >= this.#nextLoopAt) {
      this.#nextLoopAt = 2 * flushed;
      const command = writers();
      if (command !== undefined && file.isOpenBy(command)) return "loop";
    }
    if (flushed < this.#nextAt) return undefined;
    this.#nextAt = flushed + EVERY_BYTES;
    const place = file.look();
    return place instanceof Promise
      ? place.then((place) => this.#problem(place, flushed))
      : this.#problem(place, flushed);
  }

  #problem({ present, size, freeBytes }: SpillPlace, flushed: number): SpillProblem | undefined {
    const { freeSpaceBytes } = this.#options;
    if (!present) return "gone";
    if (!this.sound(size, flushed)) return "changed";
    return freeSpaceBytes > 0 && freeBytes < freeSpaceBytes + EVERY_BYTES ? "full" : undefined;
  }
}
