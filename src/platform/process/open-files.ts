import { realpathSync } from "node:fs";
import { type ProcTable, procTable } from "./table/proc-table.ts";
import { MARK } from "./mark.ts";

/** By what the processes of a command are known to somebody who did not watch them. */
export interface CommandProcesses {
  /** The first of them, which leads their session and may have ended. */
  readonly leader: number;
  /** The end of the mark in their environment. */
  readonly commandId: string;
}

/** Standard output and standard error. */
const OUTPUTS = [1, 2];
/** What a pipe looks like in /proc: one without a name, one that was unlinked, or a socket. */
const PIPE = /^(?:pipe|socket):\[|\/.* \(deleted\)$/;

/**
 * Whether a process of a command has a file open; `false` where the system does not tell.
 *
 * Of the command is who is in the session of its leader, who carries its mark, and who writes to
 * where the leader writes to.
 */
export function isOpenBy(
  path: string,
  { leader, commandId }: CommandProcesses,
  processes: Pick<ProcTable, "read" | "openFile"> = procTable(),
): boolean {
  let file: string;
  try {
    // What a process has open is shown without links.
    file = realpathSync(path);
  } catch {
    return false;
  }
  const { all, openFiles, variable } = processes.read();
  const first = all.find(({ pid }) => pid === leader);
  const session = first?.session ?? leader;
  const opened = (pid: number) => openFiles(pid).includes(file);
  if (all.some((process) => process.session === session && opened(process.pid))) return true;
  const outputsOf = (pid: number) =>
    OUTPUTS.flatMap((fd) => processes.openFile(pid, fd) ?? []).filter((link) => PIPE.test(link));
  const outputs = outputsOf(leader);
  const marked = (pid: number) =>
    variable(pid, MARK)?.split(" ").some((word) => word.endsWith(`/${commandId}`)) ?? false;
  const belongs = (pid: number) =>
    marked(pid) || outputsOf(pid).some((link) => outputs.includes(link));
  // Most processes are older than the command, and need no look at what they have open.
  const since = Number(first?.startTime);
  return all.some(({ pid, startTime }) =>
    !(Number(startTime) < since) && opened(pid) && belongs(pid)
  );
}
