import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import process from "node:process";
import type { ProcessInfo } from "./processes.ts";

/** Linux's process table, read through /proc. What vanishes while it is read is left out. */
export interface ProcTable {
  list(): readonly ProcessInfo[];
  info(pid: number): ProcessInfo | undefined;
  holds(pid: number, isSuch: (link: string) => boolean): boolean;
  variable(pid: number, name: string): string | undefined;
  commandLine(pid: number): string;
}

/**
 * Read the process table below `root`.
 *
 * @param root The mount point; recorded tables serve tests.
 * @see {@link https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html} for the fields.
 */
export function procTable(root = "/proc"): ProcTable {
  const info = (pid: number): ProcessInfo | undefined => {
    const stat = text(`${root}/${pid}/stat`);
    return stat === undefined ? undefined : parseStat(pid, stat);
  };
  return {
    info,
    list: () => {
      const all: ProcessInfo[] = [];
      for (const name of names(root)) {
        const pid = Number(name);
        if (!Number.isInteger(pid) || pid === process.pid) continue;
        const found = info(pid);
        if (found !== undefined) all.push(found);
      }
      return all;
    },
    holds: (pid, isSuch) =>
      names(`${root}/${pid}/fd`).some((fd) => {
        const target = link(`${root}/${pid}/fd/${fd}`);
        return target !== undefined && isSuch(target);
      }),
    variable: (pid, name) => {
      const environment = text(`${root}/${pid}/environ`);
      const entry = environment?.split("\0").find((entry) => entry.startsWith(`${name}=`));
      return entry?.slice(name.length + 1);
    },
    commandLine: (pid) => {
      const line = text(`${root}/${pid}/cmdline`)?.replace(/\0+$/, "").replaceAll("\0", " ");
      if (line) return line;
      const stat = text(`${root}/${pid}/stat`) ?? "";
      return `[${stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"))}]`;
    },
  };
}

/** The name, in parentheses, may hold blanks and parentheses itself: the fields start after the last one. */
function parseStat(pid: number, stat: string): ProcessInfo | undefined {
  const [state, parent, group, session, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const startTime = rest[15];
  if (state === undefined || startTime === undefined) return undefined;
  return {
    pid,
    state,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startTime,
  };
}

function text(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}

function names(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function link(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
