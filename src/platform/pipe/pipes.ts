import { execFileSync } from "node:child_process";
import {
  accessSync,
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readlinkSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PipeEvents, type PipeReader, readPipe } from "./pipe-reader.ts";

/**
 * A pipe for the output of one process: a real one, as a shell user has it.
 *
 * The pipes that Node gives to a child are UNIX sockets, in which `echo x > /dev/stderr` fails.
 */
export interface OutputPipe {
  /** The end to give to the process. */
  readonly writeEnd: number;
  /** What a link in /proc/PID/fd shows for it. */
  readonly name: string;
  /** Close our own copy of the write end and read until every other copy is closed, too. To be called once. */
  read(events: { readonly data: PipeEvents["data"]; readonly end: () => void }): PipeReader;
  /** Give it back instead of reading it: nobody got the write end. */
  discard(): void;
}

/** Dispenses pipes that leave nothing on disk, whatever crashes. */
export interface Pipes {
  /** Get a pipe; throws when the system gives no more descriptors. */
  take(): OutputPipe;
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

/** Whether this system can make the pipes. */
export function hasRealPipes(): boolean {
  try {
    accessSync("/proc/self/fd", constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Make pipes out of FIFOs: created some at a time, held by O_PATH descriptors and unlinked at once.
 *
 * A held FIFO is opened through /proc/self/fd when a process needs it. It serves again only after
 * the end of its stream was seen, which proves that no writer is left.
 *
 * @param label Part of the name that /proc shows for each of them, so that whoever holds one is found.
 */
export function fifoPipes(label: string): Pipes {
  const free: number[] = [];
  let taken = 0;
  const make = () => {
    const directory = mkdtempSync(join(tmpdir(), `${label}-`));
    const length = Math.min(LARGEST_BATCH, Math.max(BATCH, taken));
    const paths = Array.from({ length }, (_, i) => join(directory, String(i)));
    try {
      makeFifos(paths);
      for (const path of paths) free.push(openSync(path, O_PATH));
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  };
  let closed = false;
  const giveBack = (held: number, again: boolean) => {
    taken--;
    if (again && !closed) free.push(held);
    else closeSync(held);
    for (const extra of free.splice(KEPT)) closeSync(extra);
  };
  return {
    warm: () => {
      if (free.length === 0) make();
    },
    take: () => {
      if (free.length === 0) make();
      const held = free.pop();
      if (held === undefined) throw new Error("Cannot take a pipe: none could be made");
      const path = `/proc/self/fd/${held}`;
      // A FIFO opens for writing only while it has a reader, and a process that writes to one without
      // a reader dies: this one stays until the real reader is there.
      taken++;
      const opened: number[] = [];
      const open = (flags: number): number => {
        const fd = openSync(path, flags);
        opened.push(fd);
        return fd;
      };
      const closeOwn = () => {
        for (const fd of opened.splice(0)) closeSync(fd);
      };
      try {
        open(constants.O_RDONLY | constants.O_NONBLOCK);
        const writeEnd = open(constants.O_WRONLY);
        return {
          writeEnd,
          name: readlinkSync(path),
          read: ({ data, end }) => {
            const done = (drained: boolean) => {
              giveBack(held, drained);
              end();
            };
            try {
              return readPipe(path, { data, done });
            } catch (cause) {
              giveBack(held, false);
              throw cause;
            } finally {
              closeOwn();
            }
          },
          discard: () => {
            closeOwn();
            giveBack(held, true);
          },
        };
      } catch (cause) {
        closeOwn();
        giveBack(held, true);
        throw cause;
      }
    },
    close: () => {
      closed = true;
      for (const held of free.splice(0)) closeSync(held);
    },
  };
}

function makeFifos(paths: readonly string[]): void {
  try {
    execFileSync("mkfifo", ["-m", "600", ...paths], { stdio: "ignore" });
  } catch (cause) {
    const missing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    const why = missing ? "mkfifo is not on the PATH" : "mkfifo failed";
    throw new Error(`Cannot make pipes in "${tmpdir()}": ${why}`, { cause });
  }
}
