import {
  accessSync,
  constants,
  type Dirent,
  existsSync,
  lstatSync,
  readdirSync,
  readlinkSync,
  statSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { couldBeNamed } from "./pattern-overlap.ts";
import { attempt, codeOf } from "../failure.ts";

/** Where paths really lead, links followed. */
export interface Paths {
  /**
   * Follow every link of an absolute path, in order, so that `..` leaves the directory that a link
   * leads to. What does not exist yet keeps its name.
   *
   * @returns The real path, or `undefined` when it is unknown: then it could be anywhere.
   */
  real(path: string): string | undefined;
  /**
   * The symbolic links that a pattern of the shell names, or leads through; absent: none is looked up.
   *
   * @param pattern Absolute; more links than a shell would find do no harm.
   * @returns Their paths, or `undefined` when there are too many names to look at.
   */
  links?(pattern: string): readonly string[] | undefined;
  /** Whether there is a file at an absolute path, or this user could make one; absent: there is. */
  exists?(path: string): boolean;
  /**
   * What is at an absolute path: a directory that this user can enter, or nothing, where this user could
   * make one; `undefined`, and absent: anything else.
   */
  place?(path: string): "directory" | "free" | undefined;
  /** The top of the work tree of git around an absolute directory, links followed; absent: none is looked up. */
  workTree?(directory: string): string | undefined;
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
  links: (pattern) => {
    const found: string[] = [];
    let names = 0;
    const visit = (
      directory: string,
      [part, ...rest]: readonly string[],
      isBehind = false,
    ): void => {
      if (part === undefined) return;
      if (part === "**") {
        // What lists files goes through no link; what stands behind a listed name does.
        if (rest.length > 1 && !rest.includes("**")) visit(directory, rest, isBehind);
        return;
      }
      if (!/[*?[(]/.test(part)) {
        const path = `${directory}/${part}`;
        if (isBehind && linkTarget(path) !== null) found.push(path);
        return visit(path, rest, isBehind);
      }
      for (const entry of entriesOf(`${directory}/`)) {
        if (++names > MOST_NAMES) return;
        if (!couldBeNamed(part, entry.name)) continue;
        const path = `${directory}/${entry.name}`;
        if (entry.isSymbolicLink()) found.push(path);
        visit(path, rest, true);
      }
    };
    visit("", pattern.split("/").filter((part) => part !== ""));
    return names > MOST_NAMES ? undefined : found;
  },
  exists: (path) =>
    existsSync(path) || attempt(() => accessSync(dirname(path), constants.W_OK) ?? true) === true,
  place: (path) =>
    attempt(() => {
      let at = path;
      while (lstatSync(at, { throwIfNoEntry: false }) === undefined) at = dirname(at);
      if (!statSync(at).isDirectory()) return undefined;
      accessSync(at, at === path ? constants.X_OK : constants.W_OK | constants.X_OK);
      if (at === path) return "directory";
      return LONG_PATH.test(path) ? undefined : "free";
    }),
  workTree: (directory) => {
    let at = systemPaths.real(directory);
    while (at !== undefined && !isRepository(`${at}/.git`)) {
      const above = dirname(at);
      at = above === at ? undefined : above;
    }
    return at;
  },
};

/** A path that could be too long to be made, in bytes. */
const LONG_PATH = /[^/]{64}|[^]{512}/;

/** Whether git takes a path for a repository: a directory with a HEAD, or the file that names it elsewhere. */
function isRepository(path: string): boolean {
  return existsSync(`${path}/HEAD`) || statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Names that are looked at for one pattern. */
const MOST_NAMES = 20_000;

function entriesOf(directory: string): readonly Dirent[] {
  // It may be none, or a shell could not list it either.
  return attempt(() => readdirSync(directory, { withFileTypes: true })) ?? [];
}

/** What a link leads to; `null` where there is no link, `undefined` where that is not known. */
function linkTarget(path: string): string | null | undefined {
  try {
    return readlinkSync(path);
  } catch (cause) {
    const code = codeOf(cause);
    return code === "EINVAL" || code === "ENOENT" || code === "ENOTDIR" ? null : undefined;
  }
}

/** Whether there is anything at a path, links followed. */
export function isThere(path: string): boolean {
  return existsSync(path);
}

/** Whether a path lies in a directory, at any depth; both absolute, without `..`. */
export function isBelow(path: string, directory: string): boolean {
  return path !== directory &&
    path.startsWith(directory.endsWith("/") ? directory : `${directory}/`);
}

/** Make a path absolute, seen from a directory. */
export function absolutePath(directory: string, path: string): string {
  return resolve(directory, path);
}
