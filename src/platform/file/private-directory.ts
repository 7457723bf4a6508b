import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Make a directory for this user alone, and its parents where they lack; one that is there stays as it is.
 *
 * Not by the `recursive` option: on Node it tries for ever below a directory, such as /proc, that
 * says of a new entry that it does not exist.
 *
 * @throws What the system says, when it cannot be made.
 */
export function makePrivateDirectory(path: string): void {
  try {
    mkdirSync(path, 0o700);
  } catch (cause) {
    if (isDirectory(path)) return;
    const parent = dirname(path);
    if (parent === path || codeOf(cause) !== "ENOENT" || isDirectory(parent)) throw cause;
    makePrivateDirectory(parent);
    makePrivateDirectory(path);
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function codeOf(cause: unknown): unknown {
  return cause instanceof Error && "code" in cause ? cause.code : undefined;
}
