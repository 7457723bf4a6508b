import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

/** The system takes some 108 bytes, on some systems 104, and the end of the text is one of them. */
const LONGEST_PATH = 100;
const NAME = "control.sock";
const PREFIX = "shellflow-control-";
/** So many characters `mkdtemp` adds to a prefix. */
const MADE_UNIQUE = 6;

/** A path for a socket that nobody else can take. */
export interface ControlPath {
  readonly path: string;
  /** Remove what is there. */
  remove(): void;
}

/** The path of the control socket of a directory, or, if that is too long, one in a private temporary directory. */
export function controlPath(directory: string): ControlPath {
  const near = join(directory, NAME);
  const path = fits(near) ? near : join(mkdtempSync(join(temporary(), PREFIX)), NAME);
  return { path, remove: () => removeControlPath(path) };
}

/** What systems have for temporary files, where that of the variable is too long itself. */
function temporary(): string {
  const made = join(tmpdir(), PREFIX + "x".repeat(MADE_UNIQUE), NAME);
  return fits(made) ? tmpdir() : "/tmp";
}

function fits(path: string): boolean {
  return new TextEncoder().encode(path).length <= LONGEST_PATH;
}

/**
 * Where the socket of a directory's owner is, seen from here.
 *
 * @param told As its owner calls it, which may know the directory by another name.
 */
export function controlPathIn(directory: string, told: string): string {
  return isOwnDirectory(dirname(told)) ? told : join(directory, NAME);
}

/** Remove a socket that nobody listens to any more, with its directory if that was made for it. */
export function removeControlPath(path: string): void {
  if (basename(path) !== NAME) return;
  const directory = dirname(path);
  try {
    if (isOwnDirectory(directory)) rmSync(directory, { recursive: true, force: true });
    else rmSync(path, { force: true });
  } catch {
    // In a directory that takes nothing any more it stays: it does no harm, and whoever can listen
    // there later removes it first.
  }
}

/** Whether a directory was made for a socket. */
function isOwnDirectory(directory: string): boolean {
  return basename(directory).startsWith(PREFIX);
}
