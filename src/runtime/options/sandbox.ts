import type { Sandbox } from "../../platform/process/containment.ts";
import { farSockets } from "../../platform/control/control-path.ts";
import { claimPrivateDirectory } from "../../platform/file/private-directory.ts";
import { stateHome, temporaryDirectory } from "../../platform/environment/environment.ts";
import { attempt } from "../../platform/failure.ts";
import { checkDirectory } from "../../platform/file/directories.ts";
import { absolutePath, isBelow, isThere, systemPaths } from "../../platform/file/paths.ts";
import type { RuntimeOptions, SandboxOptions } from "./options.ts";

/** What the runtime itself keeps on disk. */
export interface OwnFiles {
  /** The directory of its log. */
  readonly log?: string | undefined;
  /** The directory of its output. */
  readonly output?: string | undefined;
}

/** What git runs by itself: the hooks, and programs that its settings name. */
const OF_GIT = [".git/hooks", ".git/config"];
/** What is there is no file of anyone. */
const SYSTEM = ["/dev", "/proc", "/sys"];

/**
 * The sandbox that the options ask for: what counts as inside for permissions can be written to.
 *
 * Sockets at which runtimes of this user listen are hidden, and the secret that those ask for which
 * listen elsewhere: what they run is outside.
 *
 * @throws {TypeError} When a directory or a kept path cannot be used.
 */
export function sandboxOf(
  options: SandboxOptions,
  { workspace = ".", directories = [] }: Pick<RuntimeOptions, "workspace" | "directories">,
  { cwd, log, output }: OwnFiles & { readonly cwd: string },
): Sandbox {
  const { network = "none", readOnly } = options;
  const own = usable(absolutePath(cwd, workspace));
  const inside = directories.map((each) => usable(absolutePath(cwd, each)));
  const all = [...new Set([own, ...inside, usable(temporaryDirectory())])];
  const named = readOnly?.map((each) => absolutePath(own, each));
  // What does not exist yet cannot be hidden.
  attempt(() => claimPrivateDirectory(farSockets()));
  const hosts = attempt(() => absolutePath(stateHome(), "shellflow"));
  return {
    network,
    writable: all.filter((directory) => !all.some((other) => isBelow(directory, other))),
    readOnly: named?.map(keptNamed) ?? [own, ...inside].flatMap(ofGit).flatMap(kept),
    output: existing(output)[0],
    hidden: [log, hosts, farSockets()].flatMap(existing),
  };
}

/** Where a directory really is. */
function usable(directory: string): string {
  const cannot = (why: string) =>
    new TypeError(`Cannot write to "${directory}" in a sandbox: ${why}`);
  const lack = checkDirectory(directory);
  if (lack !== undefined) throw cannot(lack);
  const real = systemPaths.real(directory) ?? directory;
  if (real === "/") throw cannot("it would hold nothing");
  const system = systemAbove(real);
  if (system !== undefined) throw cannot(`it has a ${system} of its own`);
  return real;
}

function systemAbove(path: string): string | undefined {
  return SYSTEM.find((top) => path === top || isBelow(path, top));
}

/** In a linked worktree and a submodule `.git` is a file that names the directory of the repository. */
function ofGit(directory: string): readonly string[] {
  const git = absolutePath(directory, ".git");
  const isFile = isThere(git) && checkDirectory(git) !== undefined;
  return isFile ? [git] : OF_GIT.map((each) => absolutePath(directory, each));
}

/** A path, if it exists, that stays what it is while it is mounted: no link leads there. */
function kept(path: string): readonly string[] {
  const real = systemPaths.real(path);
  if (real === path) return existing(path);
  throw new TypeError(
    `Cannot keep "${path}" in a sandbox: a command could replace the link that leads there; ` +
      "name in sandbox.readOnly what is to be kept",
  );
}

/** A path that the caller named: what does not exist, as a misspelt one, would not be kept. */
function keptNamed(path: string): string {
  const cannot = (why: string) => new TypeError(`Cannot keep "${path}" in a sandbox: ${why}`);
  const [real] = kept(path);
  if (real === undefined) throw cannot("there is no such file or directory");
  // What is kept is mounted as it is outside, over what the sandbox has there.
  const system = real === "/" ? "/dev" : systemAbove(real);
  if (system !== undefined) throw cannot(`it has a ${system} of its own`);
  return real;
}

function existing(path: string | undefined): readonly string[] {
  if (path === undefined || !isThere(path)) return [];
  return [systemPaths.real(path) ?? path];
}
