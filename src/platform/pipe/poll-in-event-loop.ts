import { Buffer } from "node:buffer";
import { constants, openSync } from "node:fs";
import { Socket } from "node:net";
import { CHUNK_BYTES, type PipeEvents, type PipeReader } from "./pipe-reader.ts";

/** One buffer for all: libuv fills it and hands it over within one turn. */
let shared: Buffer | undefined;

/** Node's way: each chunk is handed over in the turn in which it was read. */
export function pollInEventLoop(path: string, { data, done }: PipeEvents): PipeReader {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  let finished = false;
  let held = false;
  const finish = (drained: boolean) => {
    if (!finished) done(drained);
    finished = true;
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
  socket.on("end", () => finish(true)); // "close" comes a turn later
  socket.on("error", () => {});
  socket.on("close", () => finish(false));
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
