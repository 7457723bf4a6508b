import { rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { temporaryDirectory } from "../environment/environment.ts";
import { randomIds } from "../ids.ts";
import { attempt } from "../failure.ts";

/** A directory for a while. */
export interface TemporaryPath {
  readonly path: string;
  /** Delete it, if it is there, with all that is in it. */
  remove(): void;
}

/** A path among the temporary files that nothing has yet. */
export function uniqueTemporaryPath(name: string): TemporaryPath {
  const path = join(temporaryDirectory(), randomIds.next(name));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

const atExit = new Set<string>();

/** At an exit nothing but what blocks is done any more. */
function removeAll(): void {
  // An error here would change how the process ends.
  for (const path of atExit) attempt(() => rmSync(path, { recursive: true, force: true }));
}

/**
 * Delete a directory when this process ends before it was deleted: by `process.exit`, or on Node by an
 * error that nothing caught.
 *
 * @returns Calls that off.
 */
export function removeAtExit(path: string): () => void {
  // One listener for all: more than ten of them cause a warning.
  if (atExit.size === 0) process.on("exit", removeAll);
  atExit.add(path);
  return () => {
    atExit.delete(path);
    if (atExit.size === 0) process.off("exit", removeAll);
  };
}
