import { spawnSync } from "node:child_process";
import type { SpawnSpec } from "./processes.ts";

/** Puts what is to be started into a container that nothing survives. */
export type Contain = (spec: SpawnSpec) => SpawnSpec;

const ARGS = [
  "--dev-bind",
  "/",
  "/",
  "--proc",
  "/proc",
  "--unshare-pid",
  "--die-with-parent",
] as const;

/**
 * Start processes in a pid namespace of their own, by bubblewrap: the kernel ends every process in
 * it when the first one ends, whatever session, environment or descriptors it has.
 *
 * Files and the network are as outside. A signal that ends the shell is told as 128 + n, by which
 * bubblewrap tells of it.
 *
 * @throws {Error} When bubblewrap is not installed or the system does not let it work.
 */
export function pidNamespace(path: string): Contain {
  const { error, status, stderr } = spawnSync("bwrap", [...ARGS, "--", "true"], {
    env: { PATH: path },
    encoding: "utf8",
  });
  const problem = error !== undefined
    ? "bubblewrap (bwrap) is not on the PATH"
    : status === 0
    ? undefined
    : `bubblewrap failed: ${stderr.trim()}`;
  if (problem !== undefined) throw new Error(`Cannot contain in a "pid-namespace": ${problem}`);
  return (spec) => ({
    ...spec,
    file: "bwrap",
    args: [...ARGS, "--chdir", spec.cwd, "--", spec.file, ...spec.args],
  });
}
