import { closeSync, constants, readdirSync } from "node:fs";
import { codeOf } from "../failure.ts";
import { fifoName, type FifoPool, pathOf } from "./fifo-pool.ts";
import type { PipeEvents, PipeReader } from "./pipe-reader.ts";
import { readPipe } from "./read-pipe.ts";

/**
 * A pipe for the output of one command: a real one, as a shell user has it.
 *
 * The pipes that Node gives to a child are UNIX sockets, in which `echo x > /dev/stderr` fails.
 */
export interface OutputPipe extends PipeReader {
  /** The end to give to a process. */
  readonly writeEnd: number;
  /** Where another process opens it. */
  readonly path: string;
  /** What a link in /proc/PID/fd shows for it. */
  readonly name: string;
  /**
   * Close our own copy of the write end, as whatever is to write has one by now: the output ends once
   * every other copy is closed, too. Idempotent.
   */
  closeWriteEnd(): void;
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
 * Open a pipe for output, and begin to read it.
 *
 * @throws When the system has no descriptors left.
 */
export function openOutput(pool: FifoPool, events: PipeEvents): OutputPipe {
  return pool.open((open) => {
    // The reader first: a FIFO opens for writing only while it has one.
    const readEnd = open(constants.O_RDONLY | constants.O_NONBLOCK);
    const writeEnd = open(constants.O_WRONLY);
    const name = fifoName(writeEnd);
    const { pause, resume, release } = readPipe(readEnd, events, pool.waiter);
    let isOpen = true;
    const closeWriteEnd = () => {
      if (isOpen) closeSync(writeEnd);
      isOpen = false;
    };
    return {
      writeEnd,
      path: pathOf(writeEnd),
      name,
      closeWriteEnd,
      pause,
      resume,
      release: () => {
        closeWriteEnd();
        release();
      },
    };
  });
}
