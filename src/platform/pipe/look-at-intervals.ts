import { closeSync, readSync } from "node:fs";
import { CHUNK_BYTES, type PipeEvents, type PipeReader } from "./pipe-reader.ts";

/** Between two looks, in milliseconds: the pause doubles while nothing comes. */
const FIRST_PAUSE_MS = 1;
const MAX_PAUSE_MS = 10;
/** How many chunks are read before other work of the event loop. */
const CHUNKS_A_LOOK = 16;

/**
 * Read a FIFO where the event loop cannot wait for it.
 *
 * @param fd Does not block, and is closed at the end.
 */
export function lookAtIntervals(fd: number, { data, done }: PipeEvents): PipeReader {
  const buffer = new Uint8Array(CHUNK_BYTES);
  let pauseMs = FIRST_PAUSE_MS;
  let paused = false;
  let over = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const finish = (drained: boolean) => {
    if (over) return;
    over = true;
    clearTimeout(timer);
    closeSync(fd);
    done(drained);
  };
  const look = () => {
    let chunks = 0;
    for (; chunks < CHUNKS_A_LOOK && !paused && !over; chunks++) {
      const size = readNow(fd, buffer);
      if (size === undefined) break;
      if (size === 0) return finish(true);
      data(buffer.subarray(0, size));
    }
    pauseMs = chunks > 0 ? FIRST_PAUSE_MS : Math.min(MAX_PAUSE_MS, pauseMs * 2);
    if (!paused && !over) timer = setTimeout(look, chunks === CHUNKS_A_LOOK ? 0 : pauseMs);
  };
  timer = setTimeout(look, 0);
  return {
    pause: () => {
      paused = true;
      clearTimeout(timer);
    },
    resume: () => {
      if (!paused || over) return;
      paused = false;
      timer = setTimeout(look, 0);
    },
    release: () => finish(false),
  };
}

/** How many bytes there were, 0 at the end; `undefined` when there is nothing yet. */
function readNow(fd: number, buffer: Uint8Array): number | undefined {
  try {
    return readSync(fd, buffer, 0, buffer.length, null);
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "EAGAIN") return undefined;
    throw cause;
  }
}
