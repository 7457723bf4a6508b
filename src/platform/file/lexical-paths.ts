import { posix } from "node:path";

const DRIVE = /^([A-Za-z]):(?=[\\/]|$)/;

/** Whether a path is absolute. */
export function absolute(path: string): boolean {
  return path.startsWith("/") || DRIVE.test(path);
}

/**
 * Join a path to a directory and take out `.`, `..` and double slashes, without looking at links.
 *
 * Below a drive, Git Bash forms (`/c/x`) and backslashes mean that drive, too.
 */
export function joined(dir: string, path: string): string {
  if (DRIVE.test(dir) || DRIVE.test(path)) return joinedWindows(dir, path);
  return normalised(path.startsWith("/") ? path : `${dir}/${path}`);
}

function normalised(path: string): string {
  return posix.resolve("/", path);
}

function joinedWindows(dir: string, path: string): string {
  const slashes = path.replaceAll("\\", "/");
  const git = /^\/([A-Za-z])(?=\/|$)/.exec(slashes);
  let whole = `${dir.replaceAll("\\", "/")}/${slashes}`;
  if (git !== null) whole = `${git[1]}:${slashes.slice(2)}`;
  else if (DRIVE.test(slashes) || slashes.startsWith("/")) whole = slashes;
  const drive = DRIVE.exec(whole)?.[1];
  if (drive === undefined) return normalised(whole);
  return `${drive.toUpperCase()}:${normalised(whole.slice(2))}`;
}
