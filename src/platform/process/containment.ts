import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { findProgram } from "../find-program.ts";
import type { SpawnSpec } from "./processes.ts";

/** Puts what is to be started into a container that nothing survives. */
export type Contain = (spec: SpawnSpec) => SpawnSpec;

/** What commands in a sandbox can do beyond reading files. */
export interface Sandbox {
  /** The directories below which they can write, beside devices. */
  readonly writable: readonly string[];
  /** What stays as it is below them, where it exists. */
  readonly readOnly: readonly string[];
  /** Whether they reach the network as any other program does, or nothing beyond themselves. */
  readonly network: "none" | "full";
}

const PID_NAMESPACE = ["--proc", "/proc", "--unshare-pid", "--die-with-parent"];
/** Settings of the machine, which root may change without any capability. */
const SETTINGS = ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"];

/**
 * Start processes in a pid namespace of their own, by bubblewrap: the kernel ends every process in
 * it when the first one ends, whatever session, environment or descriptors it has.
 *
 * Files and the network are as outside. Bubblewrap reports a signal that ends the shell as 128 + n.
 *
 * @throws {Error} When bubblewrap is not installed or the system does not let it work.
 */
export function pidNamespace(path: string): Contain {
  return bubblewrap('contain in a "pid-namespace"', path, [
    "--dev-bind",
    "/",
    "/",
    ...PID_NAMESPACE,
  ]);
}

/**
 * Start processes in a pid namespace, in which files can be read and only some be written.
 *
 * `SHELLFLOW_SANDBOX` tells them so, by what they reach of the network.
 *
 * @throws {Error} When bubblewrap is not installed or the system does not let it work.
 */
export function sandboxed(path: string, { writable, readOnly, network }: Sandbox): Contain {
  return bubblewrap("use a sandbox", path, [
    ...["--ro-bind", "/", "/"],
    ...writable.flatMap((directory) => ["--bind", directory, directory]),
    // Over it, as one of them may be the root.
    ...["--dev", "/dev"],
    ...PID_NAMESPACE,
    ...SETTINGS.flatMap((file) => ["--ro-bind-try", file, file]),
    // Root could mount everything again otherwise.
    ...["--cap-drop", "ALL"],
    ...(network === "none" ? ["--unshare-net"] : []),
    ...readOnly.flatMap((file) => [
      // What is mounted cannot be renamed, and with it what it holds.
      ...between(writable, file).flatMap((directory) => ["--bind-try", directory, directory]),
      ...["--ro-bind-try", file, file],
    ]),
    ...["--setenv", "SHELLFLOW_SANDBOX", `network-${network}`],
  ]);
}

/** The directories above a path that can be written to only because another one above can. */
function between(writable: readonly string[], path: string): readonly string[] {
  const parent = dirname(path);
  const inside = !writable.includes(parent) && writable.some((top) => parent.startsWith(`${top}/`));
  return inside ? [...between(writable, parent), parent] : [];
}

function bubblewrap(what: string, path: string, args: readonly string[]): Contain {
  const cannot = (why: string) => new Error(`Cannot ${what}: ${why}`);
  // Found once: a command's own PATH does not choose what contains it.
  const file = findProgram("bwrap", path);
  if (file === undefined) throw cannot("bubblewrap (bwrap) is not on the PATH");
  const { error, status, stderr } = spawnSync(file, [...args, "--", "true"], {
    env: { PATH: path },
    encoding: "utf8",
  });
  if (status !== 0) throw cannot(`bubblewrap failed: ${error?.message ?? stderr.trim()}`);
  return (spec) => ({
    ...spec,
    file,
    args: [...args, "--chdir", spec.cwd, "--", spec.file, ...spec.args],
  });
}
