import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";

/**
 * Find a program as a shell would: in the directories of a search path, the first that has it.
 *
 * @param name What is looked for; with a `/` in it, it is the path itself.
 * @param path The search path; an empty part means the working directory.
 * @returns Its absolute path, or `undefined` when there is none that may be run.
 */
export function findProgram(name: string, path: string): string | undefined {
  if (name.includes("/")) return programAt(name);
  const suffixes = process.platform === "win32" ? ["", ".exe"] : [""];
  for (const directory of path.split(delimiter)) {
    for (const suffix of suffixes) {
      const file = programAt(join(directory === "" ? "." : directory, name + suffix));
      if (file !== undefined) return file;
    }
  }
  return undefined;
}

/** There is none either where a relative path would start, in a working directory that was removed. */
function programAt(path: string): string | undefined {
  try {
    const file = resolve(path);
    accessSync(file, constants.X_OK);
    return statSync(file).isFile() ? file : undefined;
  } catch {
    return undefined;
  }
}
