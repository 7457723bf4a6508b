import { readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** Where paths really lead, links followed. */
export interface Paths {
  /**
   * Follow every link of an absolute path; what does not exist yet keeps its name below the deepest
   * parent that does.
   *
   * @returns The real path, or `undefined` when it is unknown: then it could be anywhere.
   */
  real(path: string): string | undefined;
}

/** Links on the way to something that does not exist, before they count as a circle. */
const MOST_STEPS = 256;

/** The paths of this machine's file system. */
export const systemPaths: Paths = {
  real: (path) => {
    const missing: string[] = [];
    let existing = path;
    for (let step = 0; step < MOST_STEPS; step++) {
      try {
        return join(realpathSync(existing), ...missing);
      } catch (cause) {
        if (!isMissing(cause)) return undefined;
      }
      const target = linkTarget(existing);
      if (target !== undefined) {
        existing = target;
        continue;
      }
      const parent = dirname(existing);
      if (parent === existing) return undefined;
      missing.unshift(basename(existing));
      existing = parent;
    }
    return undefined;
  },
};

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause &&
    (cause.code === "ENOENT" || cause.code === "ENOTDIR");
}

/** A link that leads nowhere yet decides where a new file comes to be. */
function linkTarget(path: string): string | undefined {
  try {
    return resolve(dirname(path), readlinkSync(path));
  } catch {
    return undefined;
  }
}

/** Make a path absolute, seen from a directory. */
export function absolutePath(directory: string, path: string): string {
  return resolve(directory, path);
}
