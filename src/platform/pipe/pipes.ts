import { closeSync, constants, openSync, readdirSync } from "node:fs";
import { type FifoPool, fifoPool } from "./fifo-pool.ts";
import { InputFifo } from "./input-fifo.ts";
import type { PipeEvents, PipeReader } from "./pipe-reader.ts";
import { readPipe } from "./read-pipe.ts";

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
  /** Get a pipe for the input of a process; throws as `take` does. */
  input(): InputFifo;
  /** Make some, if none is free; throws when none can be made, a `NoPipesError` when none ever can. */
  warm(): void;
  close(): void;
}

/** Whether this system can make the pipes. */
export function hasRealPipes(): boolean {
  try {
    // Not by access(): Deno goes by owner and mode, which a process may have lost that has changed its user.
    readdirSync("/proc/self/fd");
    return true;
  } catch (cause) {
    // A lack of descriptors passes, and tells that there are some.
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    return code === "EMFILE" || code === "ENFILE";
  }
}

/**
 * Make pipes out of FIFOs.
 *
 * A held FIFO is opened through /proc/self/fd when a process needs it. It serves again only after
 * the end of its stream was seen, which proves that no writer is left.
 *
 * @param pool The FIFOs, or part of the name that /proc shows for each of them.
 */
export function fifoPipes(pool: string | FifoPool): Pipes {
  const fifos = typeof pool === "string" ? fifoPool(pool) : pool;
  const { take, name, giveBack, warm, close } = fifos;
  return {
    warm,
    close,
    input: () => new InputFifo(fifos),
    take: () => {
      const held = take();
      const path = `/proc/self/fd/${held}`;
      // A FIFO opens for writing only while it has a reader, and a process that writes to one without
      // a reader dies: this one stays until the real reader is there.
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
          name: name(held),
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
  };
}
