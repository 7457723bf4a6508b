import { closeSync } from "node:fs";
import { CHUNK_BYTES, type PipeEvents, type PipeReader } from "./pipe-reader.ts";
import { readAvailable } from "../non-blocking.ts";

/** Waits until a pipe has something to read, or has ended. */
export interface Waiter {
  /**
   * Call once when there may be something; never at once.
   *
   * @param idle Nothing has come since the last call.
   */
  wait(fd: number, call: () => void, idle: boolean): void;
  /** Do not call any more. */
  cancel(fd: number): void;
}

/** How many chunks are read before other work of the event loop. */
const CHUNKS_A_TURN = 16;

/**
 * Read a FIFO where the event loop cannot wait for it.
 *
 * @param fd Does not block, and is closed at the end.
 */
export function readWhenReady(
  fd: number,
  { data, end }: PipeEvents,
  waiter: Waiter,
): PipeReader {
  const buffer = new Uint8Array(CHUNK_BYTES);
  let paused = false;
  /** Bytes are read, or waited for. */
  let active = true;
  let over = false;
  const finish = () => {
    if (over) return;
    over = true;
    waiter.cancel(fd);
    closeSync(fd);
    end();
  };
  const read = () => {
    for (let chunks = 0; !paused && !over; chunks++) {
      if (chunks === CHUNKS_A_TURN) return void setImmediate(read);
      const size = readAvailable(fd, buffer);
      if (size === undefined) return waiter.wait(fd, read, chunks === 0);
      if (size === 0) return finish();
      data(buffer.subarray(0, size));
    }
    active = false;
  };
  waiter.wait(fd, read, false);
  return {
    pause: () => {
      paused = true;
    },
    resume: () => {
      paused = false;
      if (active || over) return;
      active = true;
      setImmediate(read);
    },
    release: finish,
  };
}

/** In milliseconds: the pause grows by a quarter while nothing comes, so that a short command ends soon. */
const FIRST_PAUSE_MS = 1;
const MAX_PAUSE_MS = 10;

/** Waits for one pipe by looking at it from time to time. */
export function waitAtIntervals(): Waiter {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  return {
    wait: (_, call, idle) => {
      pauseMs = idle ? Math.min(MAX_PAUSE_MS, pauseMs * 1.25) : FIRST_PAUSE_MS;
      timer = setTimeout(call, pauseMs);
    },
    cancel: () => clearTimeout(timer),
  };
}
