import { accessSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf, messageOf } from "../failure.ts";

/** Answers why a command cannot run in a directory; `undefined` when it can. */
export type DirectoryCheck = (path: string) => string | undefined;

/** Look at the file system of this machine. */
export const checkDirectory: DirectoryCheck = (path: string): string | undefined => {
  try {
    if (!statSync(path).isDirectory()) return "it is not a directory";
    accessSync(path, constants.X_OK);
    return undefined;
  } catch (cause) {
    const code = codeOf(cause);
    if (code === "ENOENT") return "no such directory";
    if (code === "ENOTDIR") return "a part of the path is not a directory";
    if (code === "EACCES") return "permission denied";
    return messageOf(cause);
  }
};

/** The nearest directory above a path in which commands can run; `undefined` when there is none. */
export function nearestDirectory(path: string, check: DirectoryCheck): string | undefined {
  const parent = dirname(path);
  if (parent === path) return undefined;
  return check(parent) === undefined ? parent : nearestDirectory(parent, check);
}
