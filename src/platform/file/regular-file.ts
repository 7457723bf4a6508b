import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  type Stats,
  statSync,
} from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { codeOf } from "../failure.ts";

/**
 * Open a regular file to read it; what else a path may lead to has no end, or has to be waited for.
 *
 * @throws What the system says, or an error that says what it is: `it is a FIFO, not a regular file`.
 */
export async function openRegularFile(path: string): Promise<FileHandle> {
  // Before it is opened, as that alone does something to some devices.
  requireRegular(await stat(path));
  // It may have become another meanwhile, and of a FIFO the opening itself would wait for a writer.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    requireRegular(await file.stat());
    return file;
  } catch (cause) {
    await file.close();
    throw cause;
  }
}

/**
 * Read a small text file that commands may have put there: no link is followed, and nothing waits.
 *
 * @returns Its text; `undefined` where there is none.
 * @throws {Error} When it is no regular file, is too large, or cannot be read.
 */
export function readSmallFile(path: string, mostBytes: number): string | undefined {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  let file: number;
  try {
    file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return undefined;
    if (codeOf(cause) === "ELOOP") throw new Error("it is a link, not a regular file", { cause });
    throw cause;
  }
  try {
    const stat = fstatSync(file);
    requireRegular(stat);
    if (stat.size > mostBytes) throw new Error(`it has more than ${mostBytes} bytes`);
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

/** Another text once the file is another one, or was changed; `undefined` where there is none. */
export function versionOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() ? [stat.ino, stat.size, stat.mtimeMs, stat.ctimeMs].join() : undefined;
}

function requireRegular(stat: Stats): void {
  if (!stat.isFile()) throw new Error(`it is ${kindOf(stat)}, not a regular file`);
}

/** What it is, in words. */
export function kindOf(stat: Stats): string {
  if (stat.isFile()) return "a regular file";
  if (stat.isDirectory()) return "a directory";
  if (stat.isFIFO()) return "a FIFO";
  if (stat.isSocket()) return "a socket";
  return "a device";
}
