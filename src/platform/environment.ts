import { homedir, tmpdir } from "node:os";
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
