import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";
import type { PipeReader } from "../pipe/pipe-reader.ts";
import { POLLS_PIPES, readPipe } from "../pipe/read-pipe.ts";
import type { OutputFifo, OutputFifos } from "./output-fifos.ts";
import type { CommandOutput, CommandOutputEvents } from "./shells.ts";

const CHUNK_BYTES = 65_536;
/** One buffer for all: it is filled and handed over within one turn. */
let shared: Uint8Array | undefined;
/** Between two looks at a pipe, in milliseconds: the pause doubles while nothing comes. */
const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 10;
/** How often a stream at full speed is read before other work of the event loop. */
const READS_A_TURN = 16;

/**
 * The pipe of one command in a shell that lives on.
 *
 * It is not polled: the report of the shell tells that all output is in it, and a short command's
 * is read then, at once. While a longer one goes on, a reader waits for it where the event loop can
 * wait for a pipe, and else it is looked at from time to time: a read that waits elsewhere would
 * have bytes in its hands when the report comes. What others write after it, a reader waits for.
 */
export class FifoOutput implements CommandOutput {
  readonly #fifos: OutputFifos;
  readonly #fifo: OutputFifo;
  readonly #events: CommandOutputEvents;
  #cancelLook: () => void = () => {};
  #pauseMs = FIRST_PAUSE_MS;
  #following = false;
  #paused = false;
  #late: PipeReader | undefined;
  #writer: number | undefined;
  #over = false;

  constructor(fifos: OutputFifos, events: CommandOutputEvents) {
    this.#fifos = fifos;
    this.#events = events;
    this.#fifo = fifos.take();
  }

  get path(): string {
    return this.#fifo.path;
  }

  get name(): string {
    return this.#fifo.name;
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

  finish(rest?: Uint8Array): boolean {
    if (rest !== undefined && rest.length > 0) this.#append(rest);
    this.#stopFollowing();
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
    // The last writer may have gone just now. Linux takes a reader that is opened without any for one
    // that waits for the first, and tells it of no end: there is one in the meantime.
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
    this.#cancelLook();
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

  /** Write behind what the command has written; what finds no room makes some. */
  #append(bytes: Uint8Array): void {
    if (this.#over) return;
    const fd = openSync(this.path, constants.O_WRONLY | constants.O_NONBLOCK);
    try {
      for (let at = 0; at < bytes.length;) {
        try {
          at += writeSync(fd, bytes, at, bytes.length - at);
        } catch (cause) {
          const chunk = isNotNow(cause) ? this.#next() : undefined;
          if (chunk === undefined) throw cause;
          this.#events.data(chunk);
        }
      }
    } finally {
      closeSync(fd);
    }
  }

  /** Where the event loop cannot wait for a pipe. */
  #look(): void {
    let chunks = 0;
    for (; chunks < READS_A_TURN && !this.#paused && this.#following; chunks++) {
      const chunk = this.#next();
      // Before the shell has opened the pipe, it looks as it does after its end.
      if (chunk === undefined || chunk.length === 0) break;
      this.#events.data(chunk);
    }
    if (this.#paused || !this.#following) return;
    this.#pauseMs = chunks > 0 ? FIRST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, this.#pauseMs * 2);
    const timer = setTimeout(() => this.#look(), chunks > 0 ? 0 : this.#pauseMs);
    this.#cancelLook = () => clearTimeout(timer);
  }

  /** What there is; `undefined` when there is nothing yet, and no byte when nobody can write. */
  #next(): Uint8Array | undefined {
    if (this.#over) return undefined;
    shared ??= new Uint8Array(CHUNK_BYTES);
    try {
      return shared.subarray(0, readSync(this.#fifo.reader, shared, 0, CHUNK_BYTES, null));
    } catch (cause) {
      if (isNotNow(cause)) return undefined;
      throw cause;
    }
  }

  #stopFollowing(): void {
    this.#following = false;
    this.#cancelLook();
    if (this.#writer !== undefined) closeSync(this.#writer);
    this.#writer = undefined;
  }

  #end(drained: boolean): void {
    if (this.#over) return;
    this.#over = true;
    this.#stopFollowing();
    this.#late?.release();
    const asItWas = this.#late === undefined;
    this.#fifos.giveBack(this.#fifo, drained, asItWas);
    this.#events.end();
  }
}

/** The pipe is full for its writer, or empty for its reader. */
function isNotNow(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "EAGAIN";
}
