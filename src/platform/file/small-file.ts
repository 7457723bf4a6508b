import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from "node:fs";
import { codeOf } from "../failure.ts";
import { kindOf } from "./regular-file.ts";

/**
 * Read a small text file that commands may have put there: no link is followed, and nothing waits.
 *
 * @returns Its text; `undefined` where there is none.
 * @throws {Error} When it is no regular file, is too large, is no text, or cannot be read.
 */
export function readSmallFile(path: string, mostBytes: number): string | undefined {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  let file: number;
  try {
    file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return undefined;
    if (codeOf(cause) === "ELOOP") throw new Error("it is a symbolic link", { cause });
    throw cause;
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw new Error(`it is ${kindOf(stat)}, not a regular file`);
    if (stat.size > mostBytes) throw new Error(`it has more than ${mostBytes} bytes`);
    const bytes = new Uint8Array(stat.size);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = readSync(file, bytes, length, bytes.length - length, null);
    }
    const text = textOf(bytes.subarray(0, length));
    if (text === undefined || text.includes("\0")) throw new Error("it is no text");
    return text;
  } finally {
    closeSync(file);
  }
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Another text when a regular file was changed or replaced; `undefined` where there is none. */
export function versionOf(path: string): string | undefined {
  const stat: Stats | undefined = statSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() !== true) return undefined;
  return [stat.dev, stat.ino, stat.size, stat.mtimeMs, stat.ctimeMs].join(":");
}
