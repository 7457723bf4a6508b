import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, constants, ftruncateSync, openSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { FifoPool } from "../pipe/fifo-pool.ts";
import type { PipeReader } from "../pipe/pipe-reader.ts";
import { readPipe } from "../pipe/read-pipe.ts";
import type { Waiter } from "../pipe/read-when-ready.ts";
import type { ChannelPaths } from "./shells.ts";
import { readAvailable } from "../non-blocking.ts";

/** Where pipes come from. */
export interface OutputSource {
  readonly pool: FifoPool;
  /** Waits for them where the event loop cannot; absent: they are looked at. */
  readonly waiter: Waiter | undefined;
}

/** How another process opens a descriptor of ours. */
export const pathOf = (fd: number): string => `/proc/${process.pid}/fd/${fd}`;

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
  readonly #source: OutputSource;
  readonly #open: number[] = [];
  readonly #bell: number;
  readonly #state: number;
  readonly #orders: number;
  #orderBytes = 0;
  #stateText = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #decoder = new TextDecoder();
  #reports: ReportPipe | undefined;

  constructor(source: OutputSource) {
    this.#source = source;
    try {
      this.#bell = this.#openFifo();
      this.#state = this.#openFifo();
      this.#orders = unnamedFile();
      this.#open.push(this.#orders);
    } catch (cause) {
      this.close();
      throw cause;
    }
  }

  #openFifo(): number {
    const held = this.#source.pool.take();
    try {
      const fd = openSync(pathOf(held), constants.O_RDWR | constants.O_NONBLOCK);
      this.#open.push(fd);
      return fd;
    } finally {
      closeSync(held);
    }
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
    return this.#reports?.path ?? "";
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
    this.#reports = openReportPipe(this.#source, take);
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

  /** Call once all reports have been taken; the shell has ended. */
  endReports(done: () => void): void {
    this.#reports?.end(done);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#reports?.close();
    for (const fd of this.#open) closeSync(fd);
  }
}

/** How a shell reports that a command has ended. */
interface ReportPipe {
  readonly path: string;
  /** Close the end that the host holds open for the shell, and call once all was read: no other process has it open. */
  end(done: () => void): void;
  close(): void;
}

function openReportPipe(
  { pool, waiter }: OutputSource,
  data: (chunk: Uint8Array) => void,
): ReportPipe {
  const held = pool.take();
  const path = pathOf(held);
  let both: number | undefined;
  let ended = () => {};
  let reader: PipeReader;
  try {
    both = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    reader = readPipe(fd, { data, end: () => ended() }, waiter);
  } catch (cause) {
    if (both !== undefined) closeSync(both);
    closeSync(held);
    throw cause;
  }
  const writer = both;
  return {
    path,
    end: (done) => {
      ended = done;
      closeSync(writer);
    },
    close: () => {
      reader.release();
      closeSync(held);
    },
  };
}

/** Start the program of a shell, the leader of a session and a group, with nothing of the host open. */
export function spawnShell(
  [file = "", ...args]: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): ChildProcess {
  return spawn(file, args, {
    cwd,
    env: { ...env },
    stdio: "ignore",
    detached: true,
  });
}

const MEMORY = "/dev/shm";

/** A file that has no name any more, in memory where the system has a place for that. */
function unnamedFile(): number {
  const name = `shellflow-${randomBytes(12).toString("hex")}`;
  for (const directory of [MEMORY, tmpdir()]) {
    const path = join(directory, name);
    try {
      const fd = openSync(path, "wx+", 0o600);
      unlinkSync(path);
      return fd;
    } catch (cause) {
      if (directory !== MEMORY) throw cause;
    }
  }
  throw new Error(`Cannot make a file in "${tmpdir()}"`);
}
