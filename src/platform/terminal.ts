/** Whether commands can have a pseudo-terminal here. */
export type TerminalProbe =
  | { readonly available: true }
  | { readonly available: false; readonly reason: string };

/** A package that is loaded only when it is asked for. */
export type LoadPackage = () => Promise<unknown>;

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
    return unavailable(reasonOf(cause));
  }
}

/** CommonJS exports arrive as `default`, and where a runtime can tell, by name too. */
function exportsOf(loaded: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(loaded)) return {};
  return isRecord(loaded["default"]) ? { ...loaded, ...loaded["default"] } : loaded;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function reasonOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  const [first = ""] = message.split("\n");
  const absent = isRecord(cause) && cause["code"] === "ERR_MODULE_NOT_FOUND" ||
    /(cannot find|could not find|not found).*node-pty(?!\/)/i.test(first);
  return absent
    ? "the optional package node-pty is not installed"
    : `node-pty cannot be loaded: ${first}`;
}

function unavailable(reason: string): TerminalProbe {
  return { available: false, reason: `Cannot open a terminal: ${reason}` };
}
