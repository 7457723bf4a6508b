import { readdirSync, readFileSync } from "node:fs";

/** How many threads of a process are running or wait for a processor or a disk; 0 where that is unknown. */
export function threadsAtWork(pid: number | "self"): number {
  const tasks = `/proc/${pid}/task`;
  try {
    return readdirSync(tasks).filter((thread) => isAtWork(`${tasks}/${thread}`)).length;
  } catch {
    return 0; // There is no /proc, or the process is gone.
  }
}

function isAtWork(task: string): boolean {
  try {
    const stat = readFileSync(`${task}/stat`, "latin1");
    return /^[RD]/.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch {
    return false; // It is gone.
  }
}
