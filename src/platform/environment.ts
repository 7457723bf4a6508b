import { homedir, tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import process from "node:process";

/** The variables of this process, as they are now. */
export function environment(): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined) values[name] = value;
  }
  return values;
}

/** The directory that this process works in. */
export function currentDirectory(): string {
  return process.cwd();
}

/** The directory of the user who runs this process. */
export function homeDirectory(): string {
  return homedir();
}

/** Where temporary files go. */
export function temporaryDirectory(): string {
  return tmpdir();
}

/** Tell the person who runs this process of something that is not as it should be. */
export function warn(message: string): void {
  process.emitWarning(message, { code: "SHELLFLOW" });
}

/** Where programs keep what is to outlast them but is no one's document, for this user. */
export function stateHome(): string {
  const given = process.env["XDG_STATE_HOME"];
  // The specification has relative paths passed over.
  return given !== undefined && isAbsolute(given) ? given : join(homedir(), ".local", "state");
}

/** Work in another directory from now on. */
export function leaveDirectory(to: string): void {
  process.chdir(to);
}
