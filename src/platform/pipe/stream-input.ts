import type { Writable } from "node:stream";
import type { InputPipe } from "../process/processes.ts";
import { codeOf, messageOf } from "../failure.ts";

/** Write input to a stream of Node's. */
export function streamInput(stream: Writable): InputPipe {
  stream.on("error", () => {}); // each write rejects with it
  return {
    write: (bytes) =>
      new Promise((resolve, reject) => {
        stream.write(bytes, (cause) => cause ? reject(cannotWrite(cause)) : resolve());
      }),
    end: () => void stream.end(),
  };
}

/** In the same words on both runtimes. */
export function cannotWrite(cause: unknown): Error {
  const why = codeOf(cause) === "EPIPE" ? "no process reads it any more" : messageOf(cause);
  return new Error(`Cannot write input: ${why}`, { cause });
}
