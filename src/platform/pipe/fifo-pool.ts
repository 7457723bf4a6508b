import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readlinkSync, rmdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** FIFOs without a name in any directory, each held by a descriptor that neither reads nor writes. */
export interface FifoPool {
  /** Get the descriptor of a free one; throws when the system gives no more. */
  take(): number;
  /** What a link in /proc/PID/fd shows for it. */
  name(held: number): string;
  /** Hand one back; it may serve again only if no process has an end of it open. */
  giveBack(held: number, again: boolean): void;
  /** Make some, if none is free; throws when none can be made, a {@linkcode NoPipesError} when none ever can. */
  warm(): void;
  close(): void;
}

/** No pipe can be made on this machine as it is, and not only at this moment. */
export class NoPipesError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "NoPipesError";
  }
}

/** Linux's flag for a descriptor that is neither reader nor writer; Node has no name for it. */
const O_PATH = 0o10000000;
/** How many are made at once: a call costs as much as a few commands, so many commands make many. */
const BATCH = 16;
const LARGEST_BATCH = 128;
/** How many are kept after a time of many commands. */
const KEPT = 64;

/**
 * Make FIFOs, some at a time, and unlink them at once: whatever crashes, nothing is left on disk.
 *
 * @param label Part of the name that /proc shows for each of them, so that their holders are found.
 * @param makeFifo Makes one at a path, and answers whether it did; by default, `mkfifo` makes them.
 */
export function fifoPool(label: string, makeFifo?: (path: string) => boolean): FifoPool {
  const free: number[] = [];
  const links = new Map<number, string>();
  let taken = 0;
  let closed = false;
  const drop = (held: number) => {
    links.delete(held);
    closeSync(held);
  };
  const make = () => {
    const directory = directoryFor(label);
    const length = Math.min(LARGEST_BATCH, Math.max(BATCH, taken));
    const names = Array.from({ length }, (_, i) => String(i));
    const opened: number[] = [];
    try {
      if (makeFifo === undefined) makeFifos(directory, names);
      else if (!names.every((name) => makeFifo(join(directory, name)))) throw noFifos(directory);
      for (const name of names) opened.push(openSync(join(directory, name), O_PATH));
    } catch (cause) {
      // The last descriptors of the system are worth more than a part of what was wanted.
      for (const held of opened) closeSync(held);
      throw cause;
    } finally {
      // By name: to list a directory takes a descriptor, which may be what there is none of.
      for (const name of names) rmSync(join(directory, name), { force: true });
      rmdirSync(directory);
    }
    free.push(...opened);
  };
  return {
    warm: () => {
      if (free.length === 0) make();
    },
    take: () => {
      if (free.length === 0) make();
      const held = free.pop();
      if (held === undefined) throw new Error("Cannot take a pipe: none could be made");
      taken++;
      return held;
    },
    name: (held) => {
      const name = links.get(held) ?? readlinkSync(`/proc/self/fd/${held}`);
      links.set(held, name);
      return name;
    },
    giveBack: (held, again) => {
      taken--;
      if (again && !closed) free.push(held);
      else drop(held);
      for (const extra of free.splice(KEPT)) drop(extra);
    },
    close: () => {
      closed = true;
      for (const held of free.splice(0)) drop(held);
    },
  };
}

/** What the system says while it has too little of something. */
const PASSING = new Set(["EMFILE", "ENFILE", "EAGAIN", "ENOMEM"]);

/** Memory will do where no temporary files can be made, as in a container that may not write: nothing stays there. */
const MEMORY = "/dev/shm";

function directoryFor(label: string): string {
  try {
    return mkdtempSync(join(tmpdir(), `${label}-`));
  } catch (cause) {
    try {
      return mkdtempSync(join(MEMORY, `${label}-`));
    } catch {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new NoPipesError(`Cannot make pipes in "${tmpdir()}": ${why}`, { cause });
    }
  }
}

function noFifos(directory: string): Error {
  return new NoPipesError(`Cannot make pipes in "${dirname(directory)}"`);
}

function makeFifos(directory: string, names: readonly string[]): void {
  // Started there, as Deno starts nothing from a working directory that was removed.
  const { status, error } = spawnSync("mkfifo", ["-m", "600", ...names], {
    cwd: directory,
    stdio: "ignore",
  });
  if (status === 0) return;
  const cannot = `Cannot make pipes in "${dirname(directory)}"`;
  if (typeof status === "number") {
    throw new NoPipesError(`${cannot}: mkfifo exited with ${status}`);
  }
  const code = error !== undefined && "code" in error ? String(error.code) : undefined;
  if (code === "ENOENT") {
    throw new NoPipesError(`${cannot}: mkfifo is not on the PATH`, { cause: error });
  }
  const why = `${cannot}: mkfifo could not be started`;
  // Deno has no code for what passes.
  if (code !== undefined && !PASSING.has(code)) throw new NoPipesError(why, { cause: error });
  throw new Error(`${why}, as when too many files are open`, { cause: error });
}
