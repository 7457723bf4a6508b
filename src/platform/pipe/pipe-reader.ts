import { closeSync, constants, openSync, read, readSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import { Buffer } from "node:buffer";
import { PipeRush } from "./pipe-rush.ts";
import { PIPE_REST, ReadPace } from "./read-pace.ts";

/** Reads a pipe until nobody can write to it any more. */
export interface PipeReader {
  pause(): void;
  resume(): void;
  /** Read no more, and call `done`. */
  release(): void;
}

/** How a reader calls back. */
export interface PipeEvents {
  readonly data: (chunk: Uint8Array) => void;
  /** @param drained Whether every writer is gone; only then may the pipe serve again. */
  readonly done: (drained: boolean) => void;
}

const CHUNK_BYTES = 65_536;

/** Whether the event loop can wait for a pipe; a chunk is then handed over in the turn in which it was read. */
export const POLLS_PIPES: boolean = !("Deno" in globalThis);

/**
 * Start to read a pipe, given a path under which it can be opened once more.
 *
 * Node polls it in its event loop. Deno's sockets take no pipe: there the first readers wait in
 * its thread pool, and those beyond {@linkcode WAITING_READERS} look at intervals, since a pool
 * full of waiting reads would stall every other file operation.
 */
export function readPipe(path: string, events: PipeEvents): PipeReader {
  if (POLLS_PIPES) return pollInEventLoop(path, events);
  return waiting < WAITING_READERS ? waitInThreadPool(path, events) : lookAtIntervals(path, events);
}

/** One buffer for all: libuv fills it and hands it over within one turn. */
let shared: Buffer | undefined;

function pollInEventLoop(path: string, { data, done }: PipeEvents): PipeReader {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const pace = new ReadPace();
  let drained = false;
  let held = false;
  // In a variable, as the types know `onread` for connections only.
  const options = {
    fd,
    readable: true,
    writable: false,
    onread: {
      buffer: shared ??= Buffer.allocUnsafeSlow(CHUNK_BYTES),
      callback: (size: number, buffer: Uint8Array) => {
        const full = pace.read(size);
        data(buffer.subarray(0, size));
        if (full && size < CHUNK_BYTES && !held) pace.rest(PIPE_REST);
        return !held;
      },
    },
  };
  const socket = new Socket(options);
  socket.on("end", () => {
    drained = true;
  });
  socket.on("error", () => {}); // "close" follows and says that it was not drained
  socket.on("close", () => done(drained));
  return {
    pause: () => {
      held = true;
      socket.pause();
    },
    resume: () => {
      held = false;
      socket.resume();
    },
    release: () => void socket.destroy(),
  };
}

/** Of the some 512 threads that Deno has for blocking calls. */
const WAITING_READERS = 64;
let waiting = 0;
const buffers: Uint8Array[] = [];

function waitInThreadPool(path: string, { data, done }: PipeEvents): PipeReader {
  const fd = openToWait(path);
  const buffer = buffers.pop() ?? new Uint8Array(CHUNK_BYTES);
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
    buffers.push(buffer);
    closeSync(fd);
    rush?.close();
    done(drained);
  };
  /** Going through the pool for each chunk is what a stream at full speed spends most on: look without. */
  const keepUp = () => {
    rush ??= new PipeRush(path);
    let patience = RUSH_PATIENCE;
    for (let turn = 0; turn < RUSH_READS && !held && !finished; turn++) {
      pace.rest(rush.rest);
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

const LOOK_EVERY_MS = 10;
const looking = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

function lookAtIntervals(path: string, { data, done }: PipeEvents): PipeReader {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const buffer = buffers.pop() ?? new Uint8Array(CHUNK_BYTES);
  let held = false;
  let finished = false;
  const finish = (drained: boolean) => {
    if (finished) return;
    finished = true;
    looking.delete(look);
    buffers.push(buffer);
    closeSync(fd);
    done(drained);
  };
  const look = () => {
    for (let turn = 0; turn < 16 && !held && !finished; turn++) {
      let size: number;
      try {
        size = readSync(fd, buffer, 0, CHUNK_BYTES, null);
      } catch (cause) {
        if (!(cause instanceof Error && "code" in cause && cause.code === "EAGAIN")) finish(false);
        return;
      }
      if (size === 0) return finish(true);
      data(buffer.subarray(0, size));
    }
  };
  looking.add(look);
  schedule(LOOK_EVERY_MS);
  return {
    pause: () => {
      held = true;
    },
    resume: () => {
      held = false;
    },
    release: () => finish(false),
  };
}

/** One timer for all that look; it never takes more than half of the time. */
function schedule(ms: number): void {
  timer ??= setTimeout(() => {
    timer = undefined;
    const start = performance.now();
    for (const look of [...looking]) look();
    if (looking.size > 0) schedule(Math.max(LOOK_EVERY_MS, performance.now() - start));
  }, ms);
}
