import { constants, type Stats } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";

/**
 * Open a regular file to read it; what else a path may lead to has no end, or has to be waited for.
 *
 * @throws What the system says, or an error that says what it is: `it is a FIFO, not a regular file`.
 */
export async function openRegularFile(path: string): Promise<FileHandle> {
  // Before it is opened, as that alone does something to some devices.
  refuse(await stat(path));
  // It may have become another meanwhile, and of a FIFO the opening itself would wait for a writer.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    refuse(await file.stat());
    return file;
  } catch (cause) {
    await file.close();
    throw cause;
  }
}

function refuse(stat: Stats): void {
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
