// Which test files a change can affect, by what they import.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";

/** The files that differ from the last commit, and new ones. */
export function changedFiles(cwd) {
  const git = (...args) => execFileSync("git", args, { cwd, encoding: "utf8" }).split("\n");
  return [
    ...git("diff", "--name-only", "HEAD"),
    ...git("ls-files", "--others", "--exclude-standard"),
  ].filter((path) => path !== "");
}

/** Those of `tests` that import a changed file, directly or not, or name it. */
export function affectedBy(changed, tests, cwd) {
  const targets = new Set(changed);
  const known = new Map();
  const reaches = (file) => {
    if (targets.has(file)) return true;
    const before = known.get(file);
    if (before !== undefined) return before;
    known.set(file, false); // until it is known: imports may go in a circle
    const found = references(file, cwd).some(reaches);
    known.set(file, found);
    return found;
  };
  return tests.filter(reaches);
}

/** The files of the project that a file imports or names. */
function references(file, cwd) {
  const path = join(cwd, file);
  if (!file.endsWith(".ts") || !existsSync(path)) return [];
  return [...readFileSync(path, "utf8").matchAll(/["'](\.{1,2}\/[^"']+)["']/g)]
    .map(([, specifier]) => relative(cwd, normalize(join(dirname(path), specifier))));
}
