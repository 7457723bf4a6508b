import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { attempt, codeOf, messageOf } from "../failure.ts";

/** Where programs are looked for without a search path. */
export const DEFAULT_PATH = "/bin:/usr/bin";

/**
 * Find a program as a shell would: the first in the directories of a search path.
 *
 * @param name What is looked for; with a `/` in it, it is the path itself.
 * @param path The search path; an empty part means the working directory.
 * @param cwd Where relative paths start; by default, the working directory of this process.
 * @returns Its absolute path, or `undefined` when there is none that may be run.
 */
export function findProgram(name: string, path: string, cwd: string = "."): string | undefined {
  if (name.includes("/")) return programAt(name, cwd);
  if (name === "") return undefined;
  const suffixes = process.platform === "win32" ? ["", ".exe"] : [""];
  for (const directory of path.split(delimiter)) {
    for (const suffix of suffixes) {
      const file = programAt(join(directory === "" ? "." : directory, name + suffix), cwd);
      if (file !== undefined) return file;
    }
  }
  return undefined;
}

/** Why a program was not found on a search path: Deno may not look into all of its directories. */
export function whyNotFound(path: string): string {
  for (const directory of path.split(delimiter)) {
    try {
      statSync(directory);
    } catch (cause) {
      if (codeOf(cause) === undefined) {
        return `it is not on the PATH, as far as that may be read: ${messageOf(cause)}`;
      }
    }
  }
  return "it is not on the PATH";
}

/** Also `undefined` for a relative path when the working directory was removed. */
function programAt(path: string, cwd: string): string | undefined {
  return attempt(() => {
    const file = resolve(cwd, path);
    accessSync(file, constants.X_OK);
    return statSync(file).isFile() ? file : undefined;
  });
}
