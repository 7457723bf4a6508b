import { closeSync, constants, openSync, readSync } from "node:fs";
import type { FifoPool } from "../pipe/fifo-pool.ts";
import type { PipeReader } from "../pipe/pipe-reader.ts";
import { POLLS_PIPES, readPipe } from "../pipe/read-pipe.ts";
import { pathOf } from "./shell-channels.ts";
import type { CommandOutput, CommandOutputEvents } from "./shells.ts";

const CHUNK_BYTES = 65_536;
/** One buffer for all: it is filled and handed over within one turn. */
let shared: Uint8Array | undefined;
/** Between two looks at a pipe, in milliseconds: the pause doubles while nothing comes. */
const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 10;
/** How often a pipe is read before others have their turn. */
const READS_A_TURN = 16;
/**
 * The output pipe of one command in a persistent shell.
 *
 * The report of the shell says that all output is in it, which is read then, at once. While a longer
 * command goes on, the event loop waits for the pipe where it can; else it is looked at from time to
 * time, as a thread that waits would have bytes in its hands when the report comes.
 */
export class FifoOutput implements CommandOutput {
  readonly path: string;
  readonly name: string;
  readonly #pool: FifoPool;
  /** The descriptor that holds the pipe. */
  readonly #held: number;
  /** Waits for nothing. The shell opens the pipe for writing, which waits for a reader. */
  readonly #reader: number;
  readonly #events: CommandOutputEvents;
  #pauseMs = FIRST_PAUSE_MS;
  #following = false;
  #paused = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #late: PipeReader | undefined;
  #writer: number | undefined;
  #over = false;

  constructor(pool: FifoPool, events: CommandOutputEvents) {
    this.#pool = pool;
    this.#events = events;
    this.#held = pool.take();
    this.path = pathOf(this.#held);
    try {
      this.name = pool.name(this.#held);
      this.#reader = openSync(this.path, constants.O_RDONLY | constants.O_NONBLOCK);
    } catch (cause) {
      pool.giveBack(this.#held, true);
      throw cause;
    }
  }

  follow(): void {
    if (this.#following || this.#over) return;
    this.#following = true;
    try {
      if (POLLS_PIPES) {
        // Until the shell has opened the pipe, a reader would take it for ended.
        this.#writer = openSync(this.path, constants.O_WRONLY | constants.O_NONBLOCK);
        return this.linger();
      }
    } catch {
      // Out of descriptors: looking takes none.
    }
    if (!this.#paused) this.#look();
  }

  finish(): boolean {
    this.#stopFollowing();
    // What its reader holds back waits in the pipe.
    if (this.#paused) return false;
    for (;;) {
      const chunk = this.#next();
      if (chunk === undefined) return false;
      if (chunk.length === 0) {
        this.#end(true);
        return true;
      }
      this.#events.data(chunk);
    }
  }

  linger(): void {
    if (this.#over || this.#late !== undefined) return;
    const { data } = this.#events;
    // A reader that is opened without any writer would wait for the first: the last one may have gone just now.
    const writer = this.#writer ?? openSync(this.path, constants.O_WRONLY | constants.O_NONBLOCK);
    try {
      this.#late = readPipe(this.path, { data, done: (drained) => this.#end(drained) });
    } finally {
      if (writer !== this.#writer) closeSync(writer);
    }
    if (this.#paused) this.#late.pause();
  }

  pause(): void {
    this.#paused = true;
    clearTimeout(this.#timer);
    this.#late?.pause();
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    if (this.#late !== undefined) this.#late.resume();
    else if (this.#following) this.#look();
  }

  release(): void {
    if (this.#late !== undefined) this.#late.release();
    else this.#end(false);
  }

  /** Where the event loop cannot wait for a pipe. */
  #look(): void {
    let got = false;
    for (let turn = 0; turn < READS_A_TURN && !this.#paused && this.#following; turn++) {
      const chunk = this.#next();
      // Before the shell has opened the pipe, it looks as it does after its end.
      if (chunk === undefined || chunk.length === 0) break;
      got = true;
      this.#events.data(chunk);
    }
    if (this.#paused || !this.#following) return;
    this.#pauseMs = got
      ? 0
      : Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, this.#pauseMs * 2));
    this.#timer = setTimeout(() => this.#look(), this.#pauseMs);
  }

  /** What there is; `undefined` when there is nothing yet, and no byte when no process can write. */
  #next(): Uint8Array | undefined {
    if (this.#over) return undefined;
    shared ??= new Uint8Array(CHUNK_BYTES);
    try {
      return shared.subarray(0, readSync(this.#reader, shared, 0, CHUNK_BYTES, null));
    } catch (cause) {
      if (cause instanceof Error && "code" in cause && cause.code === "EAGAIN") return undefined;
      throw cause;
    }
  }

  #stopFollowing(): void {
    this.#following = false;
    clearTimeout(this.#timer);
    if (this.#writer !== undefined) closeSync(this.#writer);
    this.#writer = undefined;
  }

  #end(drained: boolean): void {
    if (this.#over) return;
    this.#over = true;
    this.#stopFollowing();
    this.#late?.release();
    closeSync(this.#reader);
    this.#pool.giveBack(this.#held, drained);
    this.#events.end();
  }
}
