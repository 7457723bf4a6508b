import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  ftruncateSync,
  openSync,
  readSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { Readable } from "node:stream";
import type { FifoPool } from "../pipe/fifo-pool.ts";
import { POLLS_PIPES } from "../pipe/read-pipe.ts";
import type { ChannelPaths } from "./shells.ts";

/** How another process opens a descriptor of ours. */
export const pathOf = (fd: number): string => `/proc/${process.pid}/fd/${fd}`;

/** The bell, the orders and the reports of one shell. */
export class ShellChannels {
  readonly #pool: FifoPool;
  readonly #bellHeld: number;
  readonly #bell: number;
  readonly #orders: number;
  #orderBytes = 0;
  #reports: ReportPipe | undefined;

  constructor(pool: FifoPool) {
    this.#pool = pool;
    this.#bellHeld = pool.take();
    this.#bell = openSync(pathOf(this.#bellHeld), constants.O_RDWR | constants.O_NONBLOCK);
    this.#orders = unnamedFile();
  }

  get paths(): ChannelPaths {
    return { bell: pathOf(this.#bell), orders: pathOf(this.#orders) };
  }

  /** The path of the reports, once it was opened. */
  get reports(): string {
    return this.#reports?.path ?? "";
  }

  /** Open the reports of the shell that was just started. */
  openReports(child: ChildProcess, take: (text: string) => void): void {
    this.#reports = child.stdout ? pipeOf(child, child.stdout) : fifoOf(this.#pool);
    this.#reports.source.setEncoding("utf8").on("data", take).on("error", () => {});
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
  }

  takeBack(): boolean {
    try {
      return readSync(this.#bell, new Uint8Array(64)) > 0;
    } catch {
      return false; // Nothing is left.
    }
  }

  /** Call once all reports have been taken; the shell has ended. */
  endReports(done: () => void): void {
    this.#reports?.source.once("end", done);
    this.#reports?.end();
  }

  close(): void {
    this.#reports?.close();
    closeSync(this.#bell);
    closeSync(this.#orders);
    this.#pool.giveBack(this.#bellHeld, false);
  }
}

/** How a shell reports that a command has ended. */
interface ReportPipe {
  readonly path: string;
  readonly source: Readable;
  /** Close the end that the host holds open for the shell: no other process has it open. */
  end(): void;
  close(): void;
}

/** Node polls a FIFO. */
function fifoOf(pool: FifoPool): ReportPipe {
  const held = pool.take();
  const reader = openSync(pathOf(held), constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(pathOf(held), constants.O_WRONLY | constants.O_NONBLOCK);
  const source = new Socket({ fd: reader, readable: true, writable: false });
  return {
    path: pathOf(held),
    source,
    end: () => closeSync(writer),
    close: () => {
      source.destroy();
      pool.giveBack(held, false);
    },
  };
}

/**
 * Deno cannot poll a FIFO, but its child's standard output. The shell closes that with its first order,
 * and opens it again by a path, as the host holds it open.
 */
function pipeOf({ pid }: ChildProcess, source: Readable): ReportPipe {
  const writer = openSync(`/proc/${pid}/fd/1`, constants.O_WRONLY);
  return {
    path: pathOf(writer),
    source,
    end: () => closeSync(writer),
    close: () => void source.destroy(),
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
    stdio: ["ignore", POLLS_PIPES ? "ignore" : "pipe", "ignore"],
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
