import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import process from "node:process";
import { makePrivateDirectory } from "./private-directory.ts";
import { kindOf } from "./regular-file.ts";
import { randomIds } from "../ids.ts";
import { attempt, codeOf, messageOf } from "../failure.ts";

/**
 * Read a file that only this user may change.
 *
 * @returns Its text; `undefined` where there is none.
 * @throws {Error} When it cannot be read, is no regular file, or others own it, or may read or write it.
 */
export function readTrustedFile(path: string): string | undefined {
  let file: number;
  try {
    // The opening of a FIFO would wait for a writer.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return undefined;
    throw cannot(path, messageOf(cause));
  }
  try {
    const stats = fstatSync(file);
    const { mode, uid } = stats;
    if (!stats.isFile()) throw cannot(path, `it is ${kindOf(stats)}, not a regular file`);
    if (uid !== (process.getuid?.() ?? uid)) throw cannot(path, "another user owns it");
    if ((mode & 0o077) !== 0) throw cannot(path, "others may read or write it: chmod 600");
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

/** Write a file for this user alone, whole or not at all, and wait for the disk. */
export function writeTrustedFile(path: string, text: string): void {
  makePrivateDirectory(dirname(path));
  const temporary = `${path}.${randomIds.next("new")}`;
  const file = openSync(temporary, "wx", 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    renameSync(temporary, path);
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw cause;
  }
}

function cannot(path: string, why: string): Error {
  return new Error(`Cannot read "${path}": ${why}`);
}

/**
 * Write a file for this user alone, and its directories where they lack; what was there is replaced.
 *
 * No link is followed: a command in a sandbox may have put one there, and the host may write anywhere.
 *
 * @throws {Error} What the system says, when it cannot be written; or that a link leads elsewhere.
 */
export async function writePrivateFile(
  path: string,
  pieces: AsyncIterable<Uint8Array>,
): Promise<void> {
  makePrivateDirectory(dirname(path));
  // What stays there is an error of the next line.
  attempt(() => unlinkSync(path));
  const file = await open(path, "wx", 0o600);
  try {
    // Only Linux tells where a descriptor leads, and has sandboxes.
    const real = attempt(() => readlinkSync(`/proc/self/fd/${file.fd}`)) ?? path;
    if (real !== path) {
      throw new Error(`Cannot write "${path}": a link leads elsewhere, to "${real}"`);
    }
    for await (const piece of pieces) await file.writeFile(piece);
  } finally {
    await file.close();
  }
}
