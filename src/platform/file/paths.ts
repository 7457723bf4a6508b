import { readlinkSync } from "node:fs";
import { resolve } from "node:path";

/** Where paths really lead, links followed. */
export interface Paths {
  /**
   * Follow every link of an absolute path, in order, so that `..` leaves the directory that a link
   * leads to. What does not exist yet keeps its name.
   *
   * @returns The real path, or `undefined` when it is unknown: then it could be anywhere.
   */
  real(path: string): string | undefined;
}

/** Links on the way, before they count as a circle. */
const MOST_LINKS = 64;

/** The paths of this machine's file system. */
export const systemPaths: Paths = {
  real: (path) => {
    // Drives and network shares have no links that a shell could make.
    if (!path.startsWith("/")) return resolve(path);
    const left = path.split("/").reverse();
    let links = 0;
    let real = "";
    for (let part = left.pop(); part !== undefined; part = left.pop()) {
      if (part === "" || part === ".") continue;
      if (part === "..") {
        real = real.slice(0, Math.max(0, real.lastIndexOf("/")));
        continue;
      }
      const target = linkTarget(`${real}/${part}`);
      if (target === undefined) return undefined;
      if (target === null) {
        real += `/${part}`;
        continue;
      }
      if (++links > MOST_LINKS) return undefined;
      if (target.startsWith("/")) real = "";
      left.push(...target.split("/").reverse());
    }
    return real === "" ? "/" : real;
  },
};

/** What a link leads to; `null` where there is no link, `undefined` where that is not known. */
function linkTarget(path: string): string | null | undefined {
  try {
    return readlinkSync(path);
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    return code === "EINVAL" || code === "ENOENT" || code === "ENOTDIR" ? null : undefined;
  }
}

/** Make a path absolute, seen from a directory. */
export function absolutePath(directory: string, path: string): string {
  return resolve(directory, path);
}
