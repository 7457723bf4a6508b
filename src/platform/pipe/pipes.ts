import { closeSync, constants, openSync, readdirSync } from "node:fs";
import { fifoName, type FifoPool } from "./fifo-pool.ts";
import type { PipeEvents, PipeReader } from "./pipe-reader.ts";
import { readPipe } from "./read-pipe.ts";
import { codeOf } from "../failure.ts";

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
  read(events: PipeEvents): PipeReader;
  /** Close it instead of reading it: no process got the write end. */
  discard(): void;
}

/** Whether this system can make the pipes. */
export function hasRealPipes(): boolean {
  try {
    // Not by access(): Deno goes by owner and mode, which a process that has changed its user does not have.
    readdirSync("/proc/self/fd");
    return true;
  } catch (cause) {
    // Out of descriptors: there is one, and that passes.
    const code = codeOf(cause);
    return code === "EMFILE" || code === "ENFILE";
  }
}

/**
 * Open a pipe for output.
 *
 * @throws When the system has no descriptors left.
 */
export function openOutput(pool: FifoPool): OutputPipe {
  const held = pool.take();
  const path = `/proc/self/fd/${held}`;
  const opened = [held];
  const discard = () => {
    for (const fd of opened.splice(0)) closeSync(fd);
  };
  try {
    // The reader first: a FIFO opens for writing only while it has one.
    const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    opened.push(readEnd);
    const writeEnd = openSync(path, constants.O_WRONLY);
    opened.push(writeEnd);
    return {
      writeEnd,
      name: fifoName(held),
      read: ({ data, end }) => {
        closeSync(writeEnd);
        closeSync(held);
        return readPipe(readEnd, { data, end }, pool.waiter);
      },
      discard,
    };
  } catch (cause) {
    discard();
    throw cause;
  }
}
