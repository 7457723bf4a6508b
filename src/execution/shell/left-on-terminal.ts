import { MARK } from "../../platform/process/mark.ts";
import type { Processes } from "../../platform/process/processes.ts";
import type { LiveShell } from "../../platform/shell/shells.ts";

/** The processes and the groups on the terminal of a shell, by number. */
export function presentOnTerminal({ pid }: LiveShell, processes: Processes): ReadonlySet<number> {
  const own = processes.table(true).all.filter(({ session }) => session === pid);
  return new Set(own.flatMap((member) => [member.pid, member.group]));
}

/**
 * What a command of a shell has on its terminal. A part of its line that the shell runs in a copy of
 * itself has nothing else by which it is known: a job has a group of its own, a process substitution
 * that of the shell.
 *
 * @param before What was there before the command.
 */
export function addedOnTerminal(
  { pid: shell }: LiveShell,
  before: ReadonlySet<number>,
  processes: Processes,
): readonly number[] {
  return processes.table().all.filter(({ pid, parent, group, session }) => {
    if (session !== shell || before.has(pid)) return false;
    return group === shell ? parent === shell || !before.has(parent) : !before.has(group);
  }).map(({ pid }) => pid);
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
