import type { Sandbox } from "../platform/process/containment.ts";
import { temporaryDirectory } from "../platform/environment.ts";
import { checkDirectory } from "../platform/file/directories.ts";
import { absolutePath, systemPaths } from "../platform/file/paths.ts";
import type { RuntimeOptions } from "./options.ts";

/**
 * The sandbox that the options ask for: what counts as inside for permissions can be written to.
 *
 * @throws {TypeError} When a directory does not exist.
 */
export function sandboxOf(
  { sandbox, workspace = ".", directories = [], log }: Pick<
    RuntimeOptions,
    "sandbox" | "workspace" | "directories" | "log"
  >,
  cwd: string,
): Sandbox | undefined {
  if (sandbox === undefined) return undefined;
  const { network = "none", readOnly = [".git/hooks"] } = sandbox;
  const own = absolutePath(cwd, workspace);
  const inside = directories.map((each) => absolutePath(cwd, each));
  const writable = [own, ...inside, temporaryDirectory()].map((directory) => {
    const lack = checkDirectory(directory);
    if (lack === undefined) return real(directory);
    throw new TypeError(`Cannot write to "${directory}" in a sandbox: ${lack}`);
  });
  return {
    network,
    writable: [...new Set(writable)].filter((directory) =>
      !writable.some((other) => directory.startsWith(`${other}/`))
    ),
    readOnly: [
      ...readOnly.map((each) => absolutePath(own, each)),
      ...(log === undefined ? [] : [absolutePath(cwd, log)]),
    ].map(real),
  };
}

/** What is mounted must not be a link. */
function real(path: string): string {
  return systemPaths.real(path) ?? path;
}
