import { quote } from "../quote.ts";
import type { ChannelPaths } from "../../platform/shell/shells.ts";
import type { ShellOrder } from "./persistent-dialect.ts";

/** The text of a loop with the paths of its channels. */
export function withChannels(loop: string, channels: ChannelPaths): string {
  return Object.entries(channels)
    .reduce((text, [name, path]) => text.replaceAll(`@${name}@`, path), loop);
}

/** What gives a shell the directory, if it is still there, and the exported variables of another one. */
export function restoring(
  { cwd, exports }: { readonly cwd: string; readonly exports: string },
  { cd, skip }: { readonly cd: string; readonly skip: RegExp },
): string {
  const kept = exports.split("\n").filter((line) => !skip.test(line));
  return [`${cd} ${quote(cwd)}`, ...kept].join("\n");
}

/** The parts of an order by the letters that the loops of sh and zsh know them by. */
export function namedParts(order: ShellOrder, cd: string, command: string): Record<string, string> {
  const { before, after } = directoryLines(order, cd);
  return {
    n: String(order.number),
    r: order.reports,
    o: order.output,
    m: order.mark,
    s: String(order.code),
    b: before,
    c: command,
    z: after,
  };
}

/** What runs before and after a command, so that its directory is its own; the first fails where there is none. */
export function directoryLines(
  { cwd, returns }: ShellOrder,
  cd: string,
): { readonly before: string; readonly after: string } {
  if (cwd === undefined) return { before: "", after: "" };
  const go = `${cd} ${quote(cwd)}`;
  if (returns === undefined) return { before: go, after: "" };
  return {
    before: `__sf_p=\${OLDPWD-} && ${go}`,
    after: `${cd} ${quote(returns)}; OLDPWD=$__sf_p`,
  };
}

/**
 * The command with the variables that are its own: the shell sets them for one `eval`, and takes them
 * back after it.
 *
 * @param evaluate How the dialect evaluates a text, whatever functions there are.
 * @param first What the command begins with, given the names of its variables.
 */
export function withOverrides(
  { command, overrides }: ShellOrder,
  evaluate: string,
  first: (names: string) => string = () => "",
): string {
  const own = Object.entries(overrides);
  if (own.length === 0) return command;
  const values = own.map(([name, value]) => `${name}=${quote(value)}`).join(" ");
  const names = own.map(([name]) => name).join(" ");
  return `${values} ${evaluate} ${quote(first(names) + command)}`;
}
