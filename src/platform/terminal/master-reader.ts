import { Buffer } from "node:buffer";
import { readSync } from "node:fs";
import { ReadStream } from "node:tty";
import { codeOf } from "../failure.ts";
import type { PipeEvents, PipeReader } from "../pipe/pipe-reader.ts";

/**
 * Reads what the processes on a terminal print, until none of them has it open; `release` closes the
 * master side.
 */
export interface MasterReader extends PipeReader {
  /** It was released, or every process has closed the terminal. */
  readonly closed: boolean;
}

const onDeno = "Deno" in globalThis;
/** No read of a terminal returns more; a buffer that is filled saves Node a call of `epoll_wait` each. */
const READ_BYTES = 4096;
/** How much of what was left after a hang-up is read in one turn of the event loop. */
const READS_PER_TURN = 16;
/** How long until the next look after a hang-up that was taken back. */
const LOOK_MS = 10;

/** One buffer for all: it is filled and handed over within one turn. */
let shared: Buffer | undefined;

/** Start to read the master side of a pseudo-terminal, which then belongs to the reader. */
export function readMaster(fd: number, events: PipeEvents): MasterReader {
  return onDeno ? readByEvents(fd, events) : readIntoBuffer(fd, events);
}

/**
 * Node's way. libuv takes a hang-up after a short read for the end of the stream, although the kernel
 * may still hold output, and so each short read can lose the rest. What is left is read here until
 * the kernel says EIO, which it does only when nothing is left.
 */
function readIntoBuffer(fd: number, { data, end }: PipeEvents): MasterReader {
  const buffer = shared ??= Buffer.allocUnsafeSlow(READ_BYTES);
  let paused = false;
  let hungUp = false;
  // In a variable, as the types do not know `onread` here.
  const options = {
    allowHalfOpen: true, // else the descriptor would be closed at the supposed end
    onread: {
      buffer,
      callback: (size: number) => {
        data(buffer.subarray(0, size));
        return !paused;
      },
    },
  };
  const socket = new ReadStream(fd, options);
  const drain = () => {
    for (let reads = 0; reads < READS_PER_TURN; reads++) {
      if (paused || socket.destroyed) return;
      const size = readNow(fd, buffer);
      if (size === undefined) return void setTimeout(drain, LOOK_MS);
      if (size === 0) return void socket.destroy();
      data(buffer.subarray(0, size));
    }
    setImmediate(drain);
  };
  socket.on("end", () => {
    hungUp = true;
    drain();
  });
  socket.on("error", () => {}); // EIO: everything was read; "close" follows
  socket.on("close", end);
  socket.resume();
  return {
    get closed() {
      return socket.destroyed;
    },
    pause: () => {
      paused = true;
      socket.pause();
    },
    resume: () => {
      if (!paused) return;
      paused = false;
      if (hungUp) drain();
      else socket.resume();
    },
    release: () => void socket.destroy(),
  };
}

/** How many bytes were read: 0 at the end, `undefined` when none are there and a process has opened the terminal again. */
function readNow(fd: number, buffer: Uint8Array): number | undefined {
  try {
    return readSync(fd, buffer);
  } catch (cause) {
    return codeOf(cause) === "EAGAIN" ? undefined : 0;
  }
}

/** Deno's way, which reads until EIO by itself. */
function readByEvents(fd: number, { data, end }: PipeEvents): MasterReader {
  const socket = new ReadStream(fd);
  socket.on("data", data);
  socket.on("error", () => {}); // EIO: everything was read; "close" follows
  socket.on("end", () => void socket.destroy());
  socket.on("close", end);
  return {
    get closed() {
      return socket.destroyed;
    },
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    release: () => void socket.destroy(),
  };
}
