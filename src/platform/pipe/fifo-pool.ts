import { spawnSync } from "node:child_process";
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readlinkSync,
  rmdirSync,
  unlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { temporaryDirectory } from "../environment/environment.ts";
import { attempt, codeOf } from "../failure.ts";
import { POLLS_PIPES } from "./read-pipe.ts";
import type { Waiter } from "./read-when-ready.ts";
import { waitInThread } from "./wait-in-thread.ts";
import type { NativeCalls } from "../native/native-calls.ts";

/** FIFOs without a name in any directory. Each serves once. */
export interface FifoPool {
  /** Waits for them where the event loop cannot; absent: they are looked at. */
  readonly waiter: Waiter | undefined;
  /**
   * Open one.
   *
   * @param use Opens descriptors of it, each by its flags; when it throws, these are closed again.
   * @throws {Error} When none can be made, or what `use` throws.
   */
  open<T>(use: (open: (flags: number) => number) => T): T;
  close(): void;
}

/** Linux's flag for a descriptor that is neither reader nor writer; Node has no name for it. */
const O_PATH = 0o10000000;
/** How many are made at once: to run `mkfifo` costs as much as a few commands. */
const BATCH = 16;

/**
 * Make FIFOs, some at a time, and unlink them at once: whatever crashes, nothing is left on disk.
 *
 * @param label Part of the name that /proc shows for each of them, so that their holders are found.
 * @param native Makes them, and waits for them on Deno; by default, the program `mkfifo` makes them.
 */
export function fifoPool(label: string, native?: NativeCalls): FifoPool {
  const free: number[] = [];
  const names = Array.from({ length: BATCH }, (_, i) => String(i));
  const release = () => {
    for (const held of free.splice(0)) closeSync(held);
  };
  const make = () => {
    const directory = directoryFor(label);
    const paths = names.map((name) => `${directory}/${name}`);
    try {
      if (native === undefined) runMkfifo(directory, names);
      else if (!paths.every((path) => native.makeFifo(path))) throw cannotMake(directory);
      for (const path of paths) free.push(openSync(path, O_PATH));
    } catch (cause) {
      // The last descriptors of the system are worth more than a part of the batch.
      release();
      throw cause;
    } finally {
      // By name: to list a directory takes a descriptor. After rmSync of what is no plain file, Node
      // 20.20 follows no links of packages any more.
      for (const path of paths) attempt(() => unlinkSync(path));
      rmdirSync(directory);
    }
  };
  const take = () => {
    if (free.length === 0) make();
    const held = free.pop();
    if (held === undefined) throw new Error("Cannot take a pipe: none could be made");
    return held;
  };
  const open: FifoPool["open"] = (use) => {
    const held = take();
    const opened: number[] = [];
    try {
      return use((flags) => {
        const fd = openSync(`/proc/self/fd/${held}`, flags);
        opened.push(fd);
        return fd;
      });
    } catch (cause) {
      for (const fd of opened) closeSync(fd);
      throw cause;
    } finally {
      closeSync(held);
    }
  };
  const openWakePipe = () => open((open) => open(constants.O_RDWR | constants.O_NONBLOCK));
  const waiter = POLLS_PIPES || native === undefined
    ? undefined
    : waitInThread(native.poll, openWakePipe);
  return {
    waiter,
    open,
    close: release,
  };
}

/** What a link in /proc/PID/fd shows for a FIFO. */
export function fifoName(fd: number): string {
  return readlinkSync(`/proc/self/fd/${fd}`);
}

/** How another process opens a descriptor of this one. */
export function pathOf(fd: number): string {
  return `/proc/${process.pid}/fd/${fd}`;
}

/**
 * In memory where the system has a place for that. A sandbox has a /dev of its own, so that no command
 * in one can exchange a pipe before it is opened; in the temporary directory it could.
 */
function directoryFor(label: string): string {
  const inMemory = attempt(() => mkdtempSync(`/dev/shm/${label}-`));
  if (inMemory !== undefined) return inMemory;
  try {
    return mkdtempSync(join(temporaryDirectory(), `${label}-`));
  } catch (cause) {
    throw cannotMake(join(temporaryDirectory(), label), cause);
  }
}

function runMkfifo(directory: string, names: readonly string[]): void {
  // Started there, as Deno starts nothing from a working directory that was removed.
  const { status, error } = spawnSync("mkfifo", ["-m", "600", ...names], {
    cwd: directory,
    stdio: "ignore",
  });
  if (status === 0) return;
  const why = codeOf(error) === "ENOENT"
    ? "mkfifo is not on the PATH, and koffi, which could make them, is not there"
    : typeof status === "number"
    ? `mkfifo exited with ${status}`
    : "mkfifo could not be started, as when too many files are open";
  throw cannotMake(directory, new Error(why, { cause: error }));
}

function cannotMake(directory: string, cause?: unknown): Error {
  const why = cause instanceof Error ? `: ${cause.message}` : "";
  return new Error(`Cannot make pipes in "${dirname(directory)}"${why}`, { cause });
}
