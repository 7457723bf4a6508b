import type { Demand } from "../../stream/bytes.ts";

/** The writer is paused once so many bytes wait for a slow disk or for a reader that holds them. */
const PAUSE_BYTES = 384 * 1024;
/** And resumed once so few do. */
const RESUME_BYTES = 128 * 1024;
/** What still comes from a paused writer is kept up to here: a chunk or two are on their way. */
const GRACE_BYTES = 640 * 1024;

/** Pauses a writer while too many of its bytes are needed in memory. */
export class Backpressure {
  /** Absent after the end: a log is kept long after its writer, and must not keep that. */
  #demand: Demand | undefined;
  /** How many bytes there were when the writer was paused. */
  #pausedAt: number | undefined;

  constructor(demand: Demand) {
    this.#demand = demand;
  }

  /**
   * Pause or resume the writer.
   *
   * @param total How many bytes there are.
   * @param lag How many of them are still needed in memory.
   * @returns How many may be needed at most, when the writer goes on although it is paused.
   */
  update(total: number, lag: number): number | undefined {
    if (this.#pausedAt === undefined) {
      if (lag >= PAUSE_BYTES) {
        this.#pausedAt = total;
        this.#demand?.pause();
      }
      return undefined;
    }
    if (lag <= RESUME_BYTES) {
      this.#pausedAt = undefined;
      this.#demand?.resume();
      return undefined;
    }
    return total - this.#pausedAt > GRACE_BYTES ? PAUSE_BYTES : undefined;
  }

  /** End the writer. */
  endWriter(): void {
    this.#demand?.end();
  }

  /** Resume the writer for good. */
  end(): void {
    this.update(0, 0);
    this.#demand = undefined;
  }
}
