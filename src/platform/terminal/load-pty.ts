import process from "node:process";
import { hasRealPipes } from "../pipe/pipes.ts";
import { exportsOf, type LoadPackage, notInstalled, whyNotLoaded } from "../optional-package.ts";

/** What a fork answers: the descriptor of the master side, the child and the name of its device. */
export interface Forked {
  readonly fd: number;
  readonly pid: number;
  readonly pty: string;
}

/**
 * The native half of node-pty. Its own terminals lose the end of output on Node, close 200 ms after
 * their child although others still write, and cannot be written to on Deno.
 */
export interface Pty {
  fork(
    file: string,
    args: readonly string[],
    env: readonly string[],
    cwd: string,
    columns: number,
    rows: number,
    uid: number,
    gid: number,
    utf8: boolean,
    helper: string,
    onExit: (code: number, signal: number) => void,
  ): Forked;
  resize(fd: number, columns: number, rows: number, widthPx: number, heightPx: number): void;
}

/** The system below, as tests replace it. */
export interface LoadPtyOptions {
  readonly platform?: string;
  readonly load?: LoadPackage;
}

/** Hidden from compilers and bundlers, as the package is optional and may be absent. */
const PACKAGE: string = "node-pty";

/**
 * Load node-pty.
 *
 * @throws {Error} When there are no terminals here; the message says why and what to do.
 */
export async function loadPty(
  { platform = process.platform, load = () => import(PACKAGE) }: LoadPtyOptions = {},
): Promise<Pty> {
  if (platform !== "linux") throw cannot(`they are for Linux, and this is ${platform}`);
  let native: unknown;
  try {
    ({ native } = exportsOf(await load()));
  } catch (cause) {
    throw cannot(whyNotLoaded(PACKAGE, cause), cause);
  }
  if (isPty(native)) return native;
  throw cannot(`what is installed as ${PACKAGE} has other functions`);
}

/** Why there are no terminals here, as far as that is seen without loading anything; `undefined`: there are. */
export function noTerminals(base: Readonly<Record<string, string>>): string | undefined {
  const { platform } = process;
  if (base[SWITCH]) return `the variable ${SWITCH} switches terminals off`;
  if (platform !== "linux") return `terminals are for Linux, and this is ${platform}`;
  // To load it would ask the user for a permission, and to see a program wait takes /proc.
  if ("Deno" in globalThis && !hasRealPipes()) return "Deno loads terminals with --allow-all";
  try {
    import.meta.resolve(PACKAGE);
    return undefined;
  } catch {
    return notInstalled(PACKAGE);
  }
}

/** Switches terminals off where it is set. */
const SWITCH = "SHELLFLOW_NO_PTY";

function isPty(native: unknown): native is Pty {
  return typeof native === "object" && native !== null &&
    (["fork", "resize"] satisfies (keyof Pty)[]).every((name) => name in native);
}

function cannot(why: string, cause?: unknown): Error {
  return new Error(`Cannot open a terminal: ${why}`, { cause });
}
