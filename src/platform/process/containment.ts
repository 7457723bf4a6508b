import { spawnSync } from "node:child_process";
import { findProgram } from "../find-program.ts";
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
 * Files and the network are as outside. Bubblewrap reports a signal that ends the shell as 128 + n.
 *
 * @throws {Error} When bubblewrap is not installed or the system does not let it work.
 */
export function pidNamespace(path: string): Contain {
  const cannot = (why: string) => new Error(`Cannot contain in a "pid-namespace": ${why}`);
  // Found once: a command's own PATH does not choose what contains it.
  const file = findProgram("bwrap", path);
  if (file === undefined) throw cannot("bubblewrap (bwrap) is not on the PATH");
  const { error, status, stderr } = spawnSync(file, [...ARGS, "--", "true"], {
    env: { PATH: path },
    encoding: "utf8",
  });
  if (status !== 0) throw cannot(`bubblewrap failed: ${error?.message ?? stderr.trim()}`);
  return (spec) => ({
    ...spec,
    file,
    args: [...ARGS, "--chdir", spec.cwd, "--", spec.file, ...spec.args],
  });
}
