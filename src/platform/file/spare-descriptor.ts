import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { attempt, codeOf } from "../failure.ts";

let spare: number | undefined;

/**
 * Do something short that opens files, also when no descriptor is left: one is kept for that. Without
 * it a runtime that is out of descriptors could not see which processes it has to end.
 */
export function withSpareDescriptor<T>(open: () => T): T {
  spare ??= take();
  try {
    return open();
  } catch (cause) {
    const code = codeOf(cause);
    if (spare === undefined || (code !== "EMFILE" && code !== "ENFILE")) throw cause;
    closeSync(spare);
    try {
      return open();
    } finally {
      spare = take();
    }
  }
}

function take(): number | undefined {
  return attempt(() => openSync(devNull, "r"));
}
