import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import process from "node:process";
import { attempt } from "../failure.ts";

/** The variables of this process, as they are now. */
export function environment(): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined) values[name] = value;
  }
  return values;
}

/**
 * The directory that this process works in.
 *
 * @throws {Error} When it was removed.
 */
function currentDirectory(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new Error("Cannot use the current directory: it was removed", { cause });
  }
}

/** Make a path absolute, seen from the directory that this process works in, which only a relative one needs. */
export function fromCurrentDirectory(path: string): string {
  return isAbsolute(path) ? resolve(path) : resolve(currentDirectory(), path);
}

/**
 * What `~` means to bash: the variable, also an empty one, or else the directory of the user, which
 * is `/` where the system does not know that user, as in a container that is given any number.
 */
export function homeDirectory(): string {
  // Without an entry for the user Node throws, and Deno answers with nothing.
  return process.env["HOME"] ?? attempt(homedir) ?? "/";
}

/** Where temporary files go: as the environment says, or `/tmp` where there is no such directory. */
export function temporaryDirectory(): string {
  const named = tmpdir();
  return onWindows() || attempt(() => statSync(named).isDirectory()) ? named : "/tmp";
}

/** Warn the person who runs this process. */
export function warn(message: string): void {
  process.emitWarning(message, { code: "SHELLFLOW" });
}

/**
 * Where programs keep what is to outlast them but is no one's document, for this user.
 *
 * @throws {Error} When that would be another place in every directory.
 */
export function stateHome(): string {
  const given = process.env["XDG_STATE_HOME"];
  // The specification has relative paths passed over.
  if (given !== undefined && isAbsolute(given)) return given;
  const home = homeDirectory();
  if (isAbsolute(home)) return join(home, ".local", "state");
  throw new Error(`Cannot keep state in the home directory "${home}": HOME has to be absolute`);
}

/** Work in another directory from now on. */
export function leaveDirectory(to: string): void {
  process.chdir(to);
}

/** Whether this machine runs Windows. */
export function onWindows(): boolean {
  return process.platform === "win32";
}

/** The name of the program that started this process, on Windows; `undefined` when it is unknown. */
export function parentProgram(): string | undefined {
  const args = ["/FI", `PID eq ${process.ppid}`, "/FO", "CSV", "/NH"];
  const said = attempt(() => execFileSync("tasklist", args, { encoding: "utf8", timeout: 2_000 }));
  return /^"([^"]+)"/.exec(said ?? "")?.[1];
}
