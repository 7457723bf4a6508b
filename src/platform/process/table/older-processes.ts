import type { ProcessInfo } from "../processes.ts";

/** No machine starts so many processes in this time, in milliseconds, that all numbers are used again. */
const KNOWN_MS = 1_000;

type ReadInfo = (pid: number) => ProcessInfo | undefined;

/**
 * Remember the processes that are older than this one: most of a machine's, and none that this one
 * started. Some commands take several tables, each within the host's thread.
 *
 * The system counts the numbers of processes upwards, so a number stays that of the same process until
 * the count has passed it. What is remembered is as it was up to a second ago: a process of an earlier
 * host that has ended, and that its parent does not collect, counts as alive for so long.
 *
 * @param ownStartTime When this process started; absent: nothing is remembered.
 * @returns For each table, given the number that the system used last, how a process is found: from
 * memory, or as it is read.
 */
export function olderProcesses(
  ownStartTime: string | undefined,
): (lastPid: number, read: ReadInfo) => ReadInfo {
  let known = new Map<number, ProcessInfo>();
  let countedTo = Number.NaN;
  let since = 0;
  return (lastPid, read) => {
    const now = performance.now();
    if (lastPid >= countedTo && now - since <= KNOWN_MS) {
      return (pid) => (pid > countedTo && pid <= lastPid ? undefined : known.get(pid)) ?? read(pid);
    }
    known = new Map();
    // Some systems show no number, or always 0.
    countedTo = lastPid > 0 ? lastPid : Number.NaN;
    since = now;
    return (pid) => {
      const info = read(pid);
      if (info !== undefined && Number(info.startTime) < Number(ownStartTime)) known.set(pid, info);
      return info;
    };
  };
}
