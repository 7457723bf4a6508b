import { existsSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Where a file is that a log names by its absolute path: in the folder of that name in the log, which
 * may have been moved or copied since, or else at that path.
 *
 * @param log The directory of the log, or one file of it.
 */
export function recordedFile(log: string, path: string): string {
  const isDirectory = statSync(log, { throwIfNoEntry: false })?.isDirectory() === true;
  const root = isDirectory ? log : dirname(log);
  const inLog = join(root, basename(dirname(path)), basename(path));
  return existsSync(inLog) ? inLog : path;
}
