/** What `trap` shows where no command has set a trap on the end of the shell, and none of ours is left. */
const NO_TRAP = "''";

/**
 * The trap on the end of the shell that stands in place of ours, quoted as the shell shows it.
 *
 * @param listed What `trap` shows, that on EXIT first.
 * @param ours What it shows for ours.
 */
export function foreignExitTrap(listed: string, ours: string): string | undefined {
  if (listed.startsWith(`trap -- ${ours} EXIT\n`)) return undefined;
  return /^trap -- ((?:'[^']*'|"[^"]*"|\\'|[^\s'"\\])*) EXIT\n/.exec(listed)?.[1] ?? NO_TRAP;
}

/**
 * What is done before a command: to keep the trap that stands in place of ours, and put ours back.
 *
 * @param exitTrap The trap, if a command has set one, quoted.
 * @param putBack The line that sets ours.
 * @param before What else is done before the command; may be empty.
 */
export function takingOver(
  exitTrap: string | undefined,
  { putBack, before }: { readonly putBack: string; readonly before: string },
): string {
  const kept = exitTrap === undefined ? [] : [`__sf_t=${exitTrap}`, putBack];
  return [...kept, ...(before === "" ? [] : [before])].join(" && ");
}
