import { spawnSync } from "node:child_process";
import { delimiter, dirname, isAbsolute } from "node:path";
import process from "node:process";
import { isBelow, systemPaths } from "../file/paths.ts";
import { findProgram } from "../environment/find-program.ts";
import { messageOf } from "../failure.ts";
import type { Bridge } from "../network/bridges.ts";
import type { RefusedConnection } from "../network/proxy.ts";
import type { ExitStatus, SpawnSpec } from "./processes.ts";

/**
 * Puts what is to be started into a container that nothing survives.
 *
 * @param refused Called with connections that were refused to what runs in it.
 */
export type Contain = (
  spec: SpawnSpec,
  refused: (connection: RefusedConnection) => void,
) => Contained;

/** What starts a container. */
export interface Contained {
  readonly spec: SpawnSpec;
  /** Free what it has outside, once it has ended. */
  readonly release?: () => void;
}

/** What commands in a sandbox can do beyond reading files; all paths are absolute, and no links. */
export interface Sandbox {
  /** The directories below which they can write, beside devices. */
  readonly writable: readonly string[];
  /** What they cannot change below those; it exists. */
  readonly readOnly: readonly string[];
  /** Where the runtime keeps what commands wrote: they can only read it. */
  readonly output?: string | undefined;
  /** The directories that are empty for them; they exist. */
  readonly hidden: readonly string[];
  /**
   * `full`: they reach the network of the machine; `none`: only what they start themselves; with
   * `hosts`, those besides, by a proxy for HTTP. An entry is a name, `*.` and a name for all that is
   * below it, or an address, with `:port` where that is neither 80 nor 443.
   */
  readonly network: "none" | "full" | { readonly hosts: readonly string[] };
}

const PID_NAMESPACE = ["--proc", "/proc", "--unshare-pid", "--die-with-parent"];
/** Settings of the machine, which root may change without any capability. */
const SETTINGS = ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"];
/** What lets root use the files of other users, as far as they are mounted. */
const OF_ROOT = ["CAP_DAC_OVERRIDE", "CAP_CHOWN", "CAP_FOWNER"];

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
 * Start processes in a pid namespace in which files can be read, and only some of them be written.
 *
 * The variable `SHELLFLOW_SANDBOX` says what they reach of the network.
 *
 * @throws {Error} When bubblewrap is not installed or the system does not let it work.
 */
export async function sandboxed(path: string, sandbox: Sandbox): Promise<Contain> {
  const { writable, output, hidden, network } = sandbox;
  const what = "use a sandbox";
  const programs = outside(path, writable);
  const bridge = typeof network === "object"
    ? await bridgeTo(network.hosts, programs, what)
    : undefined;
  const own = output === undefined ? [] : [output];
  const { readOnly } = sandbox;
  const kept = [...hidden, ...readOnly, ...own];
  const asRoot = process.getuid?.() === 0 ? OF_ROOT : [];
  return bubblewrap(what, programs, [
    ...["--ro-bind", "/", "/"],
    ...["--dev", "/dev"],
    ...PID_NAMESPACE,
    // One that was removed since must not keep commands from the others.
    ...writable.flatMap((directory) => ["--bind-try", directory, directory]),
    ...SETTINGS.flatMap((file) => ["--ro-bind-try", file, file]),
    // Root could mount everything again otherwise.
    ...["--cap-drop", "ALL", ...asRoot.flatMap((capability) => ["--cap-add", capability])],
    "--unshare-ipc",
    ...(network === "full" ? [] : ["--unshare-net"]),
    // What is mounted cannot be renamed, and with it what it holds.
    ...[...new Set(kept.flatMap((file) => writableAbove(file, writable)))]
      .flatMap((directory) => ["--bind", directory, directory]),
    // A later mount covers an earlier one: what is hidden can lie in what is kept, and has the output.
    ...readOnly.flatMap((file) => ["--ro-bind", file, file]),
    ...hidden.flatMap((directory) => ["--tmpfs", directory]),
    ...own.flatMap((directory) => ["--ro-bind", directory, directory]),
    ...["--setenv", "SHELLFLOW_SANDBOX", `network-${bridge === undefined ? network : "hosts"}`],
  ], bridge);
}

async function bridgeTo(hosts: readonly string[], path: string, what: string) {
  const { bridgesTo } = await import("../network/bridges.ts");
  try {
    return bridgesTo(hosts, path);
  } catch (cause) {
    throw new Error(`Cannot ${what}: ${messageOf(cause)}`, { cause });
  }
}

/** The directories above a path that can be written to only because another one above can. */
function writableAbove(path: string, writable: readonly string[]): readonly string[] {
  const parent = dirname(path);
  return writable.some((top) => isBelow(parent, top))
    ? [...writableAbove(parent, writable), parent]
    : [];
}

/** The part of a search path in which no command can put programs. */
function outside(path: string, writable: readonly string[]): string {
  return path.split(delimiter).filter((directory) => {
    const real = isAbsolute(directory) ? systemPaths.real(directory) : undefined;
    return real !== undefined && !writable.some((top) => real === top || isBelow(real, top));
  }).join(delimiter);
}

/** Its report says how the command has ended, if that was started. */
const REPORT = ["--json-status-fd", "3"];

/**
 * Why bubblewrap did not start a command; `undefined` when it did.
 *
 * @param output What came first, which is from itself then.
 */
export function whyNotContained(
  { code, report }: ExitStatus,
  output: string,
): string | undefined {
  if (code !== 1 || report === undefined || report.includes('"exit-code"')) return undefined;
  return `bubblewrap failed: ${/^bwrap: (.+)/.exec(output)?.[1] ?? "it did not say why"}`;
}

function bubblewrap(
  what: string,
  path: string,
  args: readonly string[],
  bridgeFor?: (refused: (connection: RefusedConnection) => void) => Bridge,
): Contain {
  const cannot = (why: string) => new Error(`Cannot ${what}: ${why}`);
  // Found once: a command's own PATH does not choose what contains it.
  const file = findProgram("bwrap", path);
  if (file === undefined) throw cannot("bubblewrap (bwrap) is not on the PATH");
  const contain: Contain = (spec, refused) => {
    const { args: more = [], prefix = [], close } = bridgeFor?.(refused) ?? {};
    const words = [...args, ...more, ...REPORT, "--chdir", spec.cwd, "--", ...prefix];
    return {
      spec: { ...spec, file, reports: true, args: [...words, spec.file, ...spec.args] },
      ...(close && { release: close }),
    };
  };
  const { spec, release } = contain({ file: "true", args: [], cwd: "/", env: {} }, () => {});
  const { error, status, stderr } = spawnSync(file, spec.args, {
    env: { PATH: path },
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  release?.();
  if (status !== 0) throw cannot(`bubblewrap failed: ${error?.message ?? stderr.trim()}`);
  return contain;
}
