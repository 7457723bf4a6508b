import { closeSync, constants, openSync, read, writeSync } from "node:fs";
import {
  CHUNK_BYTES,
  giveBuffer,
  type PipeEvents,
  type PipeReader,
  takeBuffer,
} from "./pipe-reader.ts";
import { PipeRush } from "./pipe-rush.ts";
import { ReadPace } from "./read-pace.ts";

/**
 * Of the 32 threads that Deno has for blocking calls, the host's own among them: what finds none
 * free waits for as long as those readers do.
 */
const WAITING_READERS = 8;
let waiting = 0;

/** Whether there is a thread left for another reader. */
export function mayWait(): boolean {
  return waiting < WAITING_READERS;
}

/** Deno's way: a thread of its pool waits for the first bytes, and those that follow fast are read without. */
export function waitInThreadPool(path: string, { data, done }: PipeEvents): PipeReader {
  const fd = openToWait(path);
  const buffer = takeBuffer();
  const pace = new ReadPace();
  waiting++;
  let rush: PipeRush | undefined;
  let held = false;
  let reading = false;
  let released = false;
  let finished = false;
  const finish = (drained: boolean) => {
    if (finished) return;
    finished = true;
    waiting--;
    giveBuffer(buffer);
    closeSync(fd);
    rush?.close();
    done(drained);
  };
  /** Going through the pool for each chunk is what a stream at full speed spends most on: look without. */
  const keepUp = () => {
    rush ??= PipeRush.tryOpen(path);
    if (rush === undefined) return;
    let patience = RUSH_PATIENCE;
    for (let turn = 0; turn < RUSH_READS && !held && !released && !finished; turn++) {
      if (!rush.hasMore) pace.rest(rush.rest);
      let chunk = rush.next();
      while (chunk === undefined && patience-- > 0) {
        pace.nap(rush.rest.napMs);
        chunk = rush.next();
      }
      if (chunk === undefined) return;
      if (chunk.length === 0) return finish(true);
      const full = pace.read(chunk.length);
      data(chunk);
      if (!full) return;
    }
  };
  const next = () => {
    if (held || reading || finished) return;
    reading = true;
    read(fd, buffer, 0, CHUNK_BYTES, null, (cause, size) => {
      if (released || cause !== null || size === 0) {
        reading = false;
        return finish(!released && cause === null);
      }
      const full = pace.read(size);
      data(buffer.subarray(0, size));
      if (full) keepUp();
      reading = false;
      if (released) finish(false);
      else next();
    });
  };
  next();
  return {
    pause: () => {
      held = true;
    },
    resume: () => {
      held = false;
      next();
    },
    release: () => {
      released = true;
      if (reading) wake(path);
      else finish(false);
    },
  };
}

/** To open it waits for a writer, and the last one may have gone: there is one in the meantime. */
function openToWait(path: string): number {
  const both = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  try {
    return openSync(path, constants.O_RDONLY);
  } finally {
    closeSync(both);
  }
}

/** How often a stream at full speed is read before others have their turn. */
const RUSH_READS = 8;
/** How many times among these it naps when there is nothing yet: its writer had no turn, most of all on few processors. */
const RUSH_PATIENCE = 3;

/** A blocking read returns only when there is something to read: give it a byte. */
function wake(path: string): void {
  const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  try {
    writeSync(fd, new Uint8Array(1));
  } catch {
    // Full: then there is something to read already.
  } finally {
    closeSync(fd);
  }
}
