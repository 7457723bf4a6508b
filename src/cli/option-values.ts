import { InvalidArgumentError } from "commander";
import { fromCurrentDirectory } from "../platform/environment/environment.ts";
import { messageOf } from "../platform/failure.ts";
import { checkDirectory } from "../platform/file/directories.ts";
import { isOwnName, isSessionName, NAME_RULE } from "../runtime/control/session-name.ts";

/** Arguments that cannot be used, each of which is valid alone. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** What says that a value cannot be used: it, a number or an encoding, or an expression. */
const UNUSABLE = [TypeError, RangeError, SyntaxError];

/**
 * Take options for wrong usage that what is made of them refuses.
 *
 * @throws {UsageError} In place of a `TypeError`, a `RangeError` or a `SyntaxError`.
 */
export async function asUsage<Made>(made: Promise<Made>): Promise<Made> {
  try {
    return await made;
  } catch (cause) {
    if (!UNUSABLE.some((kind) => cause instanceof kind)) throw cause;
    throw new UsageError(messageOf(cause), { cause });
  }
}

/** Read seconds from the command line; fractions are fine, 0 means none. */
export function seconds(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || value < 0) {
    throw new InvalidArgumentError("It must be a number of seconds, 0 or more.");
  }
  return value;
}

/** Read a whole number from the command line. */
export function count(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) {
    throw new InvalidArgumentError("It must be a whole number, 0 or more.");
  }
  return value;
}

/** Collect an option that may be given several times. */
export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/** Read words with commas between. */
export function list(text: string): readonly string[] {
  return text.split(",").map((word) => word.trim()).filter((word) => word !== "");
}

/** Collect `NAME=VALUE`. */
export function variable(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const at = text.indexOf("=");
  const name = at < 0 ? text : text.slice(0, at);
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    throw new InvalidArgumentError(
      `"${name}" is not a name: it has letters, digits and underscores, and starts with no digit.`,
    );
  }
  if (at < 0) throw new InvalidArgumentError(`"${name}" has no value: write ${name}=VALUE.`);
  return { ...before, [name]: text.slice(at + 1) };
}

/** @throws {UsageError} When commands cannot run in a directory that was given. */
export function checkCwd(cwd: string | undefined): void {
  if (cwd === undefined) return;
  const directory = fromCurrentDirectory(cwd);
  const problem = checkDirectory(directory);
  if (problem !== undefined) throw new UsageError(`Cannot run in "${directory}": ${problem}`);
}

/** Read the name of a session. */
export function sessionName(text: string): string {
  if (isOwnName(text)) {
    throw new InvalidArgumentError(
      "That session ended with its only command: begin one that stays with --session NAME.",
    );
  }
  if (!isSessionName(text)) throw new InvalidArgumentError(`It is no name: ${NAME_RULE}.`);
  return text;
}
