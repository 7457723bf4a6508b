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
}

/** Dispenses pipes that leave nothing on disk, whatever crashes. */
export interface Pipes {
  take(): OutputPipe;
  warm(): void;
  close(): void;
}

/** Linux's flag for a descriptor that is neither reader nor writer; Node has no name for it. */
const O_PATH = 0o10000000;
const BATCH = 16;

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
 * Make pipes out of FIFOs: created sixteen at a time, held by O_PATH descriptors and unlinked at once.
 *
 * A held FIFO is opened through /proc/self/fd when a process needs it. It serves again only after
 * the end of its stream was seen, which proves that no writer is left.
 *
 * @param label Part of the name that /proc shows for each of them, so that whoever holds one is found.
 */
export function fifoPipes(label: string): Pipes {
  const free: number[] = [];
  const make = () => {
    const directory = mkdtempSync(join(tmpdir(), `${label}-`));
    const paths = Array.from({ length: BATCH }, (_, i) => join(directory, String(i)));
    try {
      execFileSync("mkfifo", ["-m", "600", ...paths], { stdio: "ignore" });
      for (const path of paths) free.push(openSync(path, O_PATH));
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  };
  let closed = false;
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
      const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      const writeEnd = openSync(path, constants.O_WRONLY);
      return {
        writeEnd,
        name: readlinkSync(path),
        read: ({ data, end }) => {
          try {
            return readPipe(path, {
              data,
              done: (drained) => {
                if (drained && !closed) free.push(held);
                else closeSync(held);
                end();
              },
            });
          } finally {
            closeSync(reader);
            closeSync(writeEnd);
          }
        },
      };
    },
    close: () => {
      closed = true;
      for (const held of free.splice(0)) closeSync(held);
    },
  };
}
