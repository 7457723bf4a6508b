import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readlinkSync, rmSync } from "node:fs";
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
  /** Make some, if none is free; throws when none can be made. */
  warm(): void;
  close(): void;
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
 * @param label Part of the name that /proc shows for each of them, so that whoever holds one is found.
 */
export function fifoPool(label: string): FifoPool {
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
    try {
      makeFifos(directory, names);
      for (const name of names) free.push(openSync(join(directory, name), O_PATH));
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
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
      throw new Error(`Cannot make pipes in "${tmpdir()}": ${why}`, { cause });
    }
  }
}

function makeFifos(directory: string, names: readonly string[]): void {
  try {
    // Started there, as Deno starts nothing from a working directory that was removed.
    execFileSync("mkfifo", ["-m", "600", ...names], { cwd: directory, stdio: "ignore" });
  } catch (cause) {
    const missing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    const why = missing ? "mkfifo is not on the PATH" : "mkfifo failed";
    throw new Error(`Cannot make pipes in "${dirname(directory)}": ${why}`, { cause });
  }
}
