import { closeSync, constants, openSync } from "node:fs";
import { fifoName, type FifoPool } from "../pipe/fifo-pool.ts";
import { CHUNK_BYTES, type PipeEvents, type PipeReader } from "../pipe/pipe-reader.ts";
import { readPipe } from "../pipe/read-pipe.ts";
import { pathOf } from "./shell-channels.ts";
import type { CommandOutput } from "./shells.ts";
import { readAvailable } from "../non-blocking.ts";

/** One buffer for all: it is filled and handed over within one turn. */
let shared: Uint8Array | undefined;
/** How soon to try again where no descriptor was left, in milliseconds. */
const RETRY_MS = 50;

/**
 * The output pipe of one command in a persistent shell.
 *
 * The report of the shell says that all output is in it, which is read then, at once, by a reader that
 * waits for nothing. While a longer command goes on, and for its background processes, another reader
 * waits for bytes.
 */
export class FifoOutput implements CommandOutput {
  readonly path: string;
  readonly name: string;
  readonly #pool: FifoPool;
  /** The descriptor that holds the pipe. */
  readonly #held: number;
  /** The shell opens the pipe for writing, which waits for a reader. */
  readonly #reader: number;
  readonly #events: PipeEvents;
  #paused = false;
  #waiting: PipeReader | undefined;
  /** Until the shell has opened the pipe, a reader would take it for ended. */
  #writer: number | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #over = false;

  constructor(pool: FifoPool, events: PipeEvents) {
    this.#pool = pool;
    this.#events = events;
    this.#held = pool.take();
    this.path = pathOf(this.#held);
    try {
      this.name = fifoName(this.#held);
      this.#reader = openSync(this.path, constants.O_RDONLY | constants.O_NONBLOCK);
    } catch (cause) {
      closeSync(this.#held);
      throw cause;
    }
  }

  follow(): void {
    if (this.#over || this.#waiting !== undefined) return;
    try {
      this.#writer ??= this.#openWriter();
      this.#wait();
    } catch {
      this.#retry = setTimeout(() => this.follow(), RETRY_MS);
    }
  }

  finish(): boolean {
    clearTimeout(this.#retry);
    if (this.#writer !== undefined) closeSync(this.#writer);
    this.#writer = undefined;
    // What its reader holds back waits in the pipe.
    while (!this.#paused) {
      const chunk = this.#next();
      if (chunk === undefined) return false;
      if (chunk.length === 0) {
        this.#end();
        return true;
      }
      this.#events.data(chunk);
    }
    return false;
  }

  linger(): void {
    if (this.#over || this.#waiting !== undefined) return;
    // A reader that is opened without any writer would wait for the first: the last one may have gone just now.
    const writer = this.#openWriter();
    try {
      this.#wait();
    } finally {
      closeSync(writer);
    }
  }

  pause(): void {
    this.#paused = true;
    this.#waiting?.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#waiting?.resume();
  }

  release(): void {
    if (this.#waiting !== undefined) this.#waiting.release();
    else this.#end();
  }

  #openWriter(): number {
    return openSync(this.path, constants.O_WRONLY | constants.O_NONBLOCK);
  }

  #wait(): void {
    const { data } = this.#events;
    const fd = openSync(this.path, constants.O_RDONLY | constants.O_NONBLOCK);
    this.#waiting = readPipe(fd, { data, end: () => this.#end() }, this.#pool.waiter);
    if (this.#paused) this.#waiting.pause();
  }

  /** What there is; `undefined` when there is nothing yet, and no byte when no process can write. */
  #next(): Uint8Array | undefined {
    if (this.#over) return undefined;
    shared ??= new Uint8Array(CHUNK_BYTES);
    const size = readAvailable(this.#reader, shared);
    return size === undefined ? undefined : shared.subarray(0, size);
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#retry);
    if (this.#writer !== undefined) closeSync(this.#writer);
    this.#waiting?.release();
    closeSync(this.#reader);
    closeSync(this.#held);
    this.#events.end();
  }
}
