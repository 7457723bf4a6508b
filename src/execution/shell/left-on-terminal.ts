import { MARK } from "../../platform/process/mark.ts";
import type { Processes } from "../../platform/process/processes.ts";
import type { LiveShell } from "../../platform/shell/shells.ts";

/**
 * What an interactive shell has left on its terminal, each job in a group of its own.
 *
 * @param before The groups that were there before its last command.
 */
export function leftOnTerminal(
  { pid }: LiveShell,
  before: ReadonlySet<number>,
  processes: Processes,
): readonly number[] {
  return processes.table(true).all
    .filter(({ session, group }) => session === pid && !before.has(group))
    .map((left) => left.pid);
}

/**
 * End what holds the terminal of a shell that has ended. A process that has shed its mark and left the
 * session is known by the terminal alone, which all commands of the shell had.
 */
export function endHolders({ terminal, startTime = "0" }: LiveShell, processes: Processes): void {
  // Another terminal may get its number once it is closed.
  if (terminal === undefined || terminal.closed) return;
  const table = processes.table(true);
  for (const process of table.all) {
    const { pid, startTime: started = "0" } = process;
    const isLater = Number(started) >= Number(startTime);
    if (!isLater || table.variable(pid, MARK) !== undefined) continue;
    if (table.openFiles(pid).includes(terminal.device)) processes.signal(process, "SIGKILL");
  }
}
