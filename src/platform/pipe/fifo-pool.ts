import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readlinkSync, rmdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** FIFOs without a name in any directory, each held by a descriptor that neither reads nor writes. */
export interface FifoPool {
  /** Get the descriptor of a free one; throws when none can be made. */
  take(): number;
  /** What a link in /proc/PID/fd shows for it. */
  name(held: number): string;
  /** Hand one back; it may serve again only if no process has an end of it open. */
  giveBack(held: number, again: boolean): void;
  /** Make some, if none is free; throws when none can be made. */
  warm(): void;
  close(): void;
}

/** Linux's flag for a descriptor that is neither reader nor writer; Node has no name for it. */
const O_PATH = 0o10000000;
/** How many are made at once, at least: to run `mkfifo` costs as much as a few commands. */
const BATCH = 16;
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
  const warm = () => {
    if (free.length > 0) return;
    const directory = directoryFor(label);
    const names = Array.from({ length: Math.max(BATCH, taken) }, (_, i) => String(i));
    try {
      if (makeFifo === undefined) runMkfifo(directory, names);
      else if (!names.every((name) => makeFifo(join(directory, name)))) throw cannotMake(directory);
      for (const name of names) free.push(openSync(join(directory, name), O_PATH));
    } catch (cause) {
      // The last descriptors of the system are worth more than a part of the batch.
      for (const held of free.splice(0)) drop(held);
      throw cause;
    } finally {
      // By name: to list a directory takes a descriptor.
      for (const name of names) rmSync(join(directory, name), { force: true });
      rmdirSync(directory);
    }
  };
  return {
    warm,
    take: () => {
      warm();
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

/** In memory where no temporary files can be made, as in a read-only container: nothing stays there. */
function directoryFor(label: string): string {
  try {
    return mkdtempSync(join(tmpdir(), `${label}-`));
  } catch (cause) {
    try {
      return mkdtempSync(`/dev/shm/${label}-`);
    } catch {
      throw cannotMake(join(tmpdir(), label), cause);
    }
  }
}

function runMkfifo(directory: string, names: readonly string[]): void {
  // Started there, as Deno starts nothing from a working directory that was removed.
  const { status, error } = spawnSync("mkfifo", ["-m", "600", ...names], {
    cwd: directory,
    stdio: "ignore",
  });
  if (status === 0) return;
  if (error === undefined) throw cannotMake(directory, new Error(`mkfifo exited with ${status}`));
  const why = "code" in error && error.code === "ENOENT"
    ? "mkfifo is not on the PATH, and koffi, which could make them, is not there"
    : "mkfifo could not be started, as when too many files are open";
  throw cannotMake(directory, new Error(why, { cause: error }));
}

function cannotMake(directory: string, cause?: unknown): Error {
  const why = cause instanceof Error ? `: ${cause.message}` : "";
  return new Error(`Cannot make pipes in "${dirname(directory)}"${why}`, { cause });
}
