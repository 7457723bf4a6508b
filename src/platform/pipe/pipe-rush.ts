import { closeSync, constants, openSync, readSync } from "node:fs";
import { growPipe } from "./pipe-size.ts";
import { PIPE_REST, type Rest } from "./read-pace.ts";

const RUSH_BYTES = 256 * 1024;
/** Who finds so much has a writer that is ahead of it. */
const MORE_BYTES = 128 * 1024;
const GROWN_BYTES = 1024 * 1024;
/** What all pipes of a user may hold is limited, to 64 MiB as a rule. */
const GROWN_PIPES = 8;
const GROWN_REST: Rest = { napMs: 0.05, fillMs: 0.8 };
let grown = 0;
/** One buffer for all: it is filled and handed over within one turn. */
let rushing: Uint8Array | undefined;

/** Reads a pipe that has bytes ready, and makes it hold more of them where it can. */
export class PipeRush {
  /** How long to rest while the writer fills it. */
  readonly rest: Rest;
  readonly #fd: number;
  readonly #grown: boolean;
  #hasMore = false;

  /** Read a pipe, given a path of it; `undefined` where there is no descriptor for that. */
  static tryOpen(path: string): PipeRush | undefined {
    try {
      return new PipeRush(openSync(path, constants.O_RDONLY | constants.O_NONBLOCK));
    } catch {
      return undefined;
    }
  }

  private constructor(fd: number) {
    this.#fd = fd;
    this.#grown = grown < GROWN_PIPES && growPipe(this.#fd, GROWN_BYTES);
    if (this.#grown) grown++;
    this.rest = this.#grown ? GROWN_REST : PIPE_REST;
    rushing ??= new Uint8Array(RUSH_BYTES);
  }

  /** Whether the last look found so much that another one pays without a rest. */
  get hasMore(): boolean {
    return this.#hasMore;
  }

  /** What there is; `undefined` when there is nothing yet, and no byte at the end. */
  next(): Uint8Array | undefined {
    const buffer = rushing ?? new Uint8Array(RUSH_BYTES);
    this.#hasMore = false;
    try {
      const size = readSync(this.#fd, buffer, 0, buffer.length, null);
      this.#hasMore = size >= MORE_BYTES;
      return buffer.subarray(0, size);
    } catch {
      return undefined; // Whatever it is: whoever waits for more meets it, too.
    }
  }

  close(): void {
    if (this.#grown) grown--;
    closeSync(this.#fd);
  }
}
