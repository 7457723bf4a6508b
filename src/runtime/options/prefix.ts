import { environment } from "../../platform/environment/environment.ts";
import { findProgram, whyNotFound } from "../../platform/environment/find-program.ts";
import { OptionError } from "./option-error.ts";

/**
 * Find the program that starts each shell, in the PATH of the host and never in that of a command.
 *
 * @throws {OptionError} When there is none of that name.
 */
export function prefixOf(prefix: readonly string[], cwd: string): readonly string[] {
  const [name = "", ...words] = prefix;
  const { PATH: path = "" } = environment();
  const file = findProgram(name, path, cwd);
  if (file !== undefined) return [file, ...words];
  const why = name.includes("/") ? "there is no such program" : whyNotFound(path);
  throw new OptionError("prefix.0", name, why);
}
