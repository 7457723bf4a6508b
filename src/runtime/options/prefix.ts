import { findProgram, whyNotFound } from "../../platform/environment/find-program.ts";

/**
 * Find the program that starts each shell, in the PATH of the host and never in that of a command.
 *
 * @throws {TypeError} When there is none of that name.
 */
export function prefixOf(
  prefix: readonly string[] | undefined,
  { cwd, path }: { readonly cwd: string; readonly path: string },
): readonly string[] | undefined {
  const [name, ...words] = prefix ?? [];
  if (name === undefined) return undefined;
  const file = findProgram(name, path, cwd);
  if (file !== undefined) return [file, ...words];
  const why = name.includes("/") ? "there is no such program" : whyNotFound(path);
  throw new TypeError(`Cannot create a runtime with prefix.0 ${JSON.stringify(name)}: ${why}`);
}
