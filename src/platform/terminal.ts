import { exportsOf, type LoadPackage, whyNotLoaded } from "./optional-package.ts";

/** Whether commands can have a pseudo-terminal here. */
export type TerminalProbe =
  | { readonly available: true }
  | { readonly available: false; readonly reason: string };

/** Hidden from compilers and bundlers, as the package is optional and may be absent. */
const PTY_PACKAGE: string = "node-pty";

/**
 * Find out whether pseudo-terminals can be had, and why not.
 *
 * @param load How the optional package is loaded; by default, from where npm put it.
 */
export async function probeTerminal(
  load: LoadPackage = () => import(PTY_PACKAGE),
): Promise<TerminalProbe> {
  try {
    const pty = exportsOf(await load());
    if (typeof pty["spawn"] === "function") return { available: true };
    return unavailable("what is installed as node-pty has no spawn function");
  } catch (cause) {
    return unavailable(whyNotLoaded(PTY_PACKAGE, cause));
  }
}

function unavailable(reason: string): TerminalProbe {
  return { available: false, reason: `Cannot open a terminal: ${reason}` };
}
