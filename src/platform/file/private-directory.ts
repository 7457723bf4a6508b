import { mkdirSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import { codeOf } from "../failure.ts";
import { kindOf } from "./regular-file.ts";

/**
 * Make a directory for this user alone, with its parents, or make sure that an existing one is.
 *
 * @throws {Error} `Cannot use "<path>": <state>`, when another user could change or read it; what the
 *   system says, when it cannot be made.
 */
export function claimPrivateDirectory(path: string): void {
  makePrivateDirectory(path);
  checkPrivateDirectory(path);
}

/**
 * Make sure that no other user can change or read a directory.
 *
 * @throws {Error} `Cannot use "<path>": <state>`, with what to do about it.
 */
export function checkPrivateDirectory(path: string): void {
  const user = process.getuid?.();
  if (user === undefined) return; // Windows has neither owners nor modes
  const { uid, mode }: Stats = statSync(path);
  if (uid !== user) throw new Error(`Cannot use "${path}": it belongs to another user`);
  if ((mode & 0o077) !== 0) {
    throw new Error(
      `Cannot use "${path}": other users have access to it; run chmod 700 "${path}", ` +
        "or use another directory",
    );
  }
}

/**
 * Make a directory for this user alone, with its parents; an existing one stays as it is.
 *
 * Not by the `recursive` option: on Node it tries for ever below a directory, such as /proc, that
 * says of a new entry that it does not exist.
 *
 * @throws What is there in its place, or what the system says, when it cannot be made.
 */
export function makePrivateDirectory(path: string): void {
  try {
    mkdirSync(path, 0o700);
  } catch (cause) {
    const there = statSync(path, { throwIfNoEntry: false });
    if (there?.isDirectory()) return;
    if (there !== undefined) {
      throw new Error(`"${path}" is ${kindOf(there)}, not a directory`, { cause });
    }
    const parent = dirname(path);
    if (parent === path || codeOf(cause) !== "ENOENT" || isDirectory(parent)) throw cause;
    makePrivateDirectory(parent);
    makePrivateDirectory(path);
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
