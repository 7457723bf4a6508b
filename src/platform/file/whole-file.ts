import { readFileSync } from "node:fs";

/** Read a whole file, if it is there. */
export function readWholeFile(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
