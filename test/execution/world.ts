import { randomInt } from "node:crypto";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import process from "node:process";
import { procTable } from "../../src/platform/process/table/proc-table.ts";
import type { ProcessInfo } from "../../src/platform/process/processes.ts";

const table = procTable();
// Files that one process tests count each for itself, and no number begins with another.
const file = randomInt(1_000, 10_000);
let count = 1_000;

/** A number of seconds that no other process sleeps for. */
export const uniqueSeconds = (): string => `36${process.pid}.${file}${++count}`;

/** The processes that live and whose command line ends so; a zombie has none. */
export function living(end: string): ProcessInfo[] {
  // Most processes are others, of which the command line is all that is read.
  return readdirSync("/proc").map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid)
    .filter((pid) => table.argv(pid).join(" ").endsWith(end))
    .flatMap((pid) => table.info(pid) ?? [])
    .filter(({ state }) => state !== "Z");
}

/** Whether a process with exactly this command line runs; a shell that will start it ends with it, too. */
export const hasStarted = (line: string): boolean =>
  living(line).some(({ pid }) => table.commandLine(pid) === line);

/** Whether a process lives, be it a zombie or not. */
export const isThere = (pid: number): boolean => table.info(pid) !== undefined;

/** Whether a process has not ended yet, be its end heard of or not. */
export const runs = (pid: number): boolean => ![undefined, "Z"].includes(table.info(pid)?.state);

/** Whether a process was stopped, and does nothing before it is told to go on. */
export const isStopped = (pid: number): boolean => table.info(pid)?.state === "T";

/** Tells once a process has done what it was about to do now: it rests, or has worked for some 50 ms since. */
export function wentOn(pid: number): () => boolean {
  const before = ticks(pid);
  const rests = () => ["S", "T"].includes(table.info(pid)?.state ?? "");
  return () => rests() || ticks(pid) > before + 5;
}

/** How long a process has worked, in hundredths of a second. */
function ticks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /s, "").split(" ");
  return Number(fields[11]) + Number(fields[12]);
}

/** The children of this process, in whatever state. */
export const children = (): ProcessInfo[] =>
  table.read().all.filter(({ parent }) => parent === process.pid);

/** How many files this process has open, or how many times one of them. */
export function openFiles(path?: string): number {
  const all = readdirSync("/proc/self/fd");
  return path === undefined ? all.length : all.filter((fd) => linkOf(fd) === path).length;
}

function linkOf(fd: string): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined; // that of the look itself, or of another thread
  }
}

/** Memory in use, in MB. */
export const memoryMb = (pid: number | "self" = "self"): number => {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
};

/** For a line of bash: waits until its last background process has become `sleep`, and the system tells all of that. */
export const UNTIL_ASLEEP =
  "until [[ $(</proc/$!/comm) == sleep ]] && grep -q . /proc/$!/environ; do :; done";
