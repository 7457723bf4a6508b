import { randomBytes } from "node:crypto";
import { closeSync, constants, ftruncateSync, openSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type FifoPool, pathOf } from "../pipe/fifo-pool.ts";
import type { PipeReader } from "../pipe/pipe-reader.ts";
import { readPipe } from "../pipe/read-pipe.ts";
import type { ChannelPaths } from "./shells.ts";
import { readAvailable } from "../non-blocking.ts";
import { temporaryDirectory } from "../environment/environment.ts";
import { attempt } from "../failure.ts";

/** As much as a pipe holds; one buffer for all, as it is filled and read within one turn. */
const STATE_BYTES = 65_536;
let shared: Uint8Array | undefined;

/** No field of a state begins with a newline, so that none contains it. */
const END_OF_STATE = "\0\n";
/** No field begins so; shells that cannot be interrupted leave it out. */
const BEGIN_OF_STATE = "\0!";

/** Between two looks at the state of a shell that has not reported, in milliseconds; pauses double. */
const FIRST_LOOK_MS = 10;
const LONGEST_LOOK_MS = 1_000;

/**
 * The channels between the host and one shell.
 *
 * The state takes the shell several writes. Nothing waits for them: the host reads it when the one
 * line of the report has come, and so wakes up once for each command.
 */
export class ShellChannels {
  readonly #pool: FifoPool;
  readonly #open = new Set<number>();
  readonly #bell: number;
  readonly #state: number;
  readonly #orders: number;
  #orderBytes = 0;
  #stateText = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #decoder = new TextDecoder();
  /** The end that the host holds open for the shell. */
  #reports: number | undefined;
  #reader: PipeReader | undefined;
  #reported = () => {};

  constructor(pool: FifoPool) {
    this.#pool = pool;
    try {
      this.#bell = this.#openFifo();
      this.#state = this.#openFifo();
      this.#orders = unnamedFile();
      this.#open.add(this.#orders);
    } catch (cause) {
      this.close();
      throw cause;
    }
  }

  #openFifo(): number {
    const fd = this.#pool.open((open) => open(constants.O_RDWR | constants.O_NONBLOCK));
    this.#open.add(fd);
    return fd;
  }

  get paths(): ChannelPaths {
    return {
      bell: pathOf(this.#bell),
      orders: pathOf(this.#orders),
      state: pathOf(this.#state),
    };
  }

  /** The path of the reports, once it was opened. */
  get reports(): string {
    return this.#reports === undefined ? "" : pathOf(this.#reports);
  }

  /** Open the reports of the shell that was just started. */
  openReports(report: (line: string, state: string) => void): void {
    const decoder = new TextDecoder();
    let rest = "";
    const take = (chunk: Uint8Array) => {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        clearTimeout(this.#timer);
        this.#takeState();
        const end = this.#stateText.indexOf(END_OF_STATE);
        const all = this.#stateText.slice(0, Math.max(0, end));
        // A state that was interrupted stands before the whole one.
        const begin = all.lastIndexOf(BEGIN_OF_STATE);
        const state = begin < 0 ? all : all.slice(begin + BEGIN_OF_STATE.length);
        // The next state may be in the pipe already.
        if (end >= 0) this.#stateText = this.#stateText.slice(end + END_OF_STATE.length);
        report(line, state);
      }
    };
    this.#reports = this.#openFifo();
    const fd = openSync(pathOf(this.#reports), constants.O_RDONLY | constants.O_NONBLOCK);
    const end = () => this.#reported();
    this.#reader = readPipe(fd, { data: take, end }, this.#pool.waiter);
  }

  #takeState(): void {
    shared ??= new Uint8Array(STATE_BYTES);
    for (let size = STATE_BYTES; size === STATE_BYTES;) {
      size = readAvailable(this.#state, shared) ?? 0;
      this.#stateText += this.#decoder.decode(shared.subarray(0, size), { stream: true });
    }
  }

  /** Write an order in place of the one before, and ring. */
  send(order: string, number: number): void {
    const bytes = new TextEncoder().encode(order);
    if (bytes.length < this.#orderBytes) ftruncateSync(this.#orders, 0);
    this.#orderBytes = bytes.length;
    for (let at = 0; at < bytes.length;) {
      at += writeSync(this.#orders, bytes, at, bytes.length - at, at);
    }
    writeSync(this.#bell, `${number}\n${number}\n`);
    this.#takeStateIn(FIRST_LOOK_MS);
  }

  /** A state that is longer than its pipe holds blocks the shell until some of it was read. */
  #takeStateIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#takeState();
      this.#takeStateIn(Math.min(LONGEST_LOOK_MS, ms * 2));
    }, ms);
  }

  takeBack(): boolean {
    return readAvailable(this.#bell, new Uint8Array(64)) !== undefined;
  }

  /** Call once all reports have been taken; the shell has ended, and no other process has them open. */
  endReports(done: () => void): void {
    this.#reported = done;
    if (this.#reports !== undefined) this.#close(this.#reports);
  }

  #close(fd: number): void {
    if (this.#open.delete(fd)) closeSync(fd);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#reader?.release();
    for (const fd of this.#open) this.#close(fd);
  }
}

/** A file that has no name any more, in memory where the system has a place for that. */
function unnamedFile(): number {
  return attempt(() => unnamedFileIn("/dev/shm")) ?? unnamedFileIn(temporaryDirectory());
}

function unnamedFileIn(directory: string): number {
  const path = join(directory, `shellflow-${randomBytes(12).toString("hex")}`);
  const fd = openSync(path, "wx+", 0o600);
  unlinkSync(path);
  return fd;
}
