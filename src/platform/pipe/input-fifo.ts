import { closeSync, constants } from "node:fs";
import { Socket } from "node:net";
import type { InputPipe } from "../process/processes.ts";
import { writeAvailable } from "../non-blocking.ts";
import { writeInOrder } from "../write-in-order.ts";
import type { FifoPool } from "./fifo-pool.ts";
import { POLLS_OPENED } from "./read-pipe.ts";
import { cannotWrite, streamInput } from "./stream-input.ts";

/** A pipe for the standard input of one process. */
export interface InputFifo extends InputPipe {
  /** The end to give to the process. */
  readonly readEnd: number;
  /** Close our own copy of that end: what is written fails once the process reads no more. Idempotent. */
  closeReadEnd(): void;
}

/**
 * Open a pipe for input.
 *
 * @throws When the system has no descriptors left.
 */
export function openInput(pool: FifoPool): InputFifo {
  return pool.open((open) => {
    // Each end of a FIFO opens only while it has the other.
    const both = open(constants.O_RDWR | constants.O_NONBLOCK);
    const readEnd = open(constants.O_RDONLY);
    const writeEnd = open(constants.O_WRONLY | constants.O_NONBLOCK);
    const { write, end } = POLLS_OPENED
      ? streamInput(new Socket({ fd: writeEnd, readable: false, writable: true }))
      : tryAtIntervals(writeEnd);
    closeSync(both);
    let isOpen = true;
    const closeReadEnd = () => {
      if (isOpen) closeSync(readEnd);
      isOpen = false;
    };
    return {
      readEnd,
      closeReadEnd,
      write,
      end: () => {
        closeReadEnd();
        end();
      },
    };
  });
}

/** So many bytes go into a pipe as a whole or not at all; of more Deno does not say how many did. */
const ATOMIC_BYTES = 4096;

/** Where the event loop cannot wait for a FIFO. */
function tryAtIntervals(fd: number): InputPipe {
  const write = writeInOrder((bytes) => writeAvailable(fd, bytes.subarray(0, ATOMIC_BYTES)));
  let ended = false;
  return {
    write: async (bytes) => {
      if (ended) throw new Error("Cannot write input: it has ended");
      await write(bytes).catch((cause) => {
        throw cannotWrite(cause);
      });
    },
    end: () => {
      if (ended) return;
      ended = true;
      void write(new Uint8Array()).then(() => closeSync(fd));
    },
  };
}
