import { Buffer } from "node:buffer";
import { Socket } from "node:net";
import { CHUNK_BYTES, type PipeEvents, type PipeReader } from "./pipe-reader.ts";

/** One buffer for all: libuv fills it and hands it over within one turn. */
let shared: Buffer | undefined;

/**
 * Read a FIFO as the event loop of Node finds bytes in it.
 *
 * @param fd Does not block, and is closed at the end.
 */
export function pollInEventLoop(fd: number, { data, end }: PipeEvents): PipeReader {
  let held = false;
  let over = false;
  const finish = () => {
    if (!over) end();
    over = true;
  };
  // In a variable, as the types know `onread` for connections only.
  const options = {
    fd,
    readable: true,
    writable: false,
    onread: {
      buffer: shared ??= Buffer.allocUnsafeSlow(CHUNK_BYTES),
      callback: (size: number, buffer: Uint8Array) => {
        data(buffer.subarray(0, size));
        return !held;
      },
    },
  };
  const socket = new Socket(options);
  socket.on("end", finish); // "close" comes a turn later
  socket.on("error", () => {}); // "close" follows
  socket.on("close", finish);
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
