import { readSync, writeSync } from "node:fs";
import { codeOf } from "./failure.ts";

/** Read what there is: how many bytes, 0 at the end, `undefined` when there is nothing yet. */
export function readAvailable(fd: number, buffer: Uint8Array): number | undefined {
  return unlessBusy(() => readSync(fd, buffer, 0, buffer.length, null));
}

/** Write what fits; answers how many bytes the kernel took. */
export function writeAvailable(fd: number, bytes: Uint8Array): number {
  return unlessBusy(() => writeSync(fd, bytes)) ?? 0;
}

function unlessBusy(call: () => number): number | undefined {
  try {
    return call();
  } catch (cause) {
    if (codeOf(cause) === "EAGAIN") return undefined;
    throw cause;
  }
}
