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
