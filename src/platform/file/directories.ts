import { accessSync, constants, statSync } from "node:fs";

/** Answers why a command cannot run in a directory; `undefined` when it can. */
export type DirectoryCheck = (path: string) => string | undefined;

/** Look at the file system of this machine. */
export const checkDirectory: DirectoryCheck = (path: string): string | undefined => {
  try {
    if (!statSync(path).isDirectory()) return "it is not a directory";
    accessSync(path, constants.X_OK);
    return undefined;
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code === "ENOENT") return "no such directory";
    if (code === "ENOTDIR") return "a part of the path is not a directory";
    if (code === "EACCES") return "permission denied";
    return cause instanceof Error ? cause.message : String(cause);
  }
};
