import { Buffer } from "node:buffer";
import { closeSync, openSync, readdirSync, readlinkSync, readSync } from "node:fs";
import process from "node:process";
import { withSpareDescriptor } from "../../file/spare-descriptor.ts";
import type { ProcessIdentity, ProcessInfo, ProcessTable } from "../processes.ts";
import { olderProcesses } from "./older-processes.ts";
import { attempt, codeOf } from "../../failure.ts";

/** Linux's process table, read through /proc. What vanishes while it is read is left out. */
export interface ProcTable {
  /** Read the table now; environments and open files are read when they are asked for, once. */
  read(): ProcessTable;
  info(pid: number): ProcessInfo | undefined;
  /** Whether a process with a higher number may live; absent where that is not known quickly. */
  mayHaveFollowers?(pid: number): boolean;
  /** The words that a process was started with; none where the system does not show them. */
  argv(pid: number): readonly string[];
  commandLine(pid: number): string;
}

/** A process that was just started, with its start time where the system has one. */
export function identify(pid: number, table: Pick<ProcTable, "info">): ProcessIdentity {
  const startTime = table.info(pid)?.startTime;
  return { pid, ...(startTime !== undefined && { startTime }) };
}

/**
 * Whether a mount point shows the processes of another pid namespace, as in a container that was given
 * the one of its host: here its numbers are those of other processes, which must get no signal.
 */
export function isOfOtherProcesses(root: string): boolean {
  const self = link(`${root}/self`);
  return self !== undefined && self !== String(process.pid);
}

/**
 * Read the process table below a mount point; one of another pid namespace shows no process.
 *
 * @param mounted The mount point; recorded tables serve tests.
 * @see {@link https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html} for the fields.
 */
export function procTable(mounted = "/proc"): ProcTable {
  const root = isOfOtherProcesses(mounted) ? NOWHERE : mounted;
  const info = (pid: number, failed?: (cause: unknown) => void): ProcessInfo | undefined => {
    const stat = text(`${root}/${pid}/stat`, failed);
    return stat === undefined ? undefined : parseStat(pid, stat);
  };
  const argv = (pid: number) => {
    const line = text(`${root}/${pid}/cmdline`)?.replace(/\0+$/, "");
    return line ? line.split("\0") : [];
  };
  // The end of its environment is known from the moment that its program is set up.
  const isExecuting = (pid: number) => {
    const [flags, end] = environmentState(text(`${root}/${pid}/stat`));
    return end === 0 && (flags & NO_PROGRAM) === 0 &&
      environmentState(text(`${root}/self/stat`))[1] !== 0;
  };
  // Until it executes its program, a child is a copy of the host, with the files of all other commands.
  const isCopyOfHost = (pid: number) => {
    if (info(pid)?.parent !== process.pid) return false;
    const words = argv(pid);
    return words.length === 0 || words.join("\0") === argv(process.pid).join("\0");
  };
  const openFiles = (pid: number) =>
    isCopyOfHost(pid)
      ? []
      : names(`${root}/${pid}/fd`).flatMap((fd) => link(`${root}/${pid}/fd/${fd}`) ?? []);
  const lastPid = () => Number(text(`${root}/loadavg`)?.trim().split(" ").at(-1));
  const older = olderProcesses(info(process.pid)?.startTime);
  return {
    info: (pid) => info(pid),
    mayHaveFollowers: (pid) => {
      const last = lastPid();
      // None was started since; or the numbers started again from the beginning, or are unknown.
      if (last === pid) return false;
      if (!(last > pid)) return true;
      return names(root).some((name) => Number(name) > pid);
    },
    read: () => {
      let partial = false;
      let changing = false;
      let spentMs = 0;
      const timed =
        <Argument, Result>(read: (of: Argument) => Result) => (of: Argument): Result => {
          const start = performance.now();
          const result = read(of);
          spentMs += performance.now() - start;
          return result;
        };
      const environmentOf = once(timed((pid: number) => {
        const all = text(`${root}/${pid}/environ`);
        // A child of this process is known as what was started, whatever it shows.
        changing ||= all === "" && isExecuting(pid) && info(pid)?.parent !== process.pid;
        return (all ?? "").split("\0");
      }));
      const failed = (cause: unknown) => partial ||= !meansAbsence(cause);
      const all = timed((path: string) => {
        const find = older(lastPid(), (pid) => info(pid, failed));
        return names(path, failed).map(Number)
          .filter((pid) => Number.isInteger(pid) && pid !== process.pid)
          .flatMap((pid) => find(pid) ?? []);
      })(root);
      return {
        all,
        get spentMs() {
          return spentMs;
        },
        partial,
        get changing() {
          return changing;
        },
        variable: (pid, name) =>
          environmentOf(pid).find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1),
        openFiles: once(timed(openFiles)),
      };
    },
    argv,
    commandLine: (pid) => {
      const words = argv(pid);
      if (words.length > 0) return words.join(" ");
      const stat = text(`${root}/${pid}/stat`) ?? "";
      return `[${stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"))}]`;
    },
  };
}

/** No path leads below what is no directory. */
const NOWHERE = "/dev/null";

/** Answers each question once, and then from memory. */
function once<T>(ask: (pid: number) => T): (pid: number) => T {
  const known = new Map<number, T>();
  return (pid) => {
    const answer = known.get(pid) ?? ask(pid);
    known.set(pid, answer);
    return answer;
  };
}

/** The place of the start time among the fields after the name. */
const START_TIME = 19;
/** A shorter piece is the last one. */
const PAGE = 4_096;

/** The place of the end of the environment among them; 0: it has none yet. */
const ENVIRONMENT_END = 48;
const FLAGS = 6;
/** Flags of a process that is ending, and of one of the kernel: neither executes a program. */
const NO_PROGRAM = 0x4 | 0x200000;
/** Flag of a process that was forked and has not executed a program since. */
const FORKED = 0x40;

function environmentState(stat = ""): readonly [flags: number, end: number] {
  const fields = fieldsOf(stat);
  return [Number(fields[FLAGS]), Number(fields[ENVIRONMENT_END])];
}

/** The name, in parentheses, may hold blanks and parentheses itself: the fields start after the last one. */
function fieldsOf(stat: string, limit?: number): readonly string[] {
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ", limit);
}

function parseStat(pid: number, stat: string): ProcessInfo | undefined {
  const [state, parent, group, session, ...rest] = fieldsOf(stat, START_TIME + 1);
  const startTime = rest[START_TIME - 4];
  if (state === undefined || startTime === undefined) return undefined;
  return {
    pid,
    state,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startTime,
    forked: (Number(rest[FLAGS - 4]) & FORKED) !== 0,
  };
}

/** Hundreds of these are read for one table: one buffer serves all. */
const buffer = Buffer.allocUnsafeSlow(32_768);

function text(path: string, failed?: (cause: unknown) => void): string | undefined {
  try {
    return withSpareDescriptor(() => readText(path));
  } catch (cause) {
    failed?.(cause);
    return undefined;
  }
}

function readText(path: string): string {
  const fd = openSync(path, "r");
  try {
    let all = "";
    for (;;) {
      const size = readSync(fd, buffer, 0, buffer.length, null);
      all += buffer.toString("latin1", 0, size);
      if (size < PAGE) return all;
    }
  } finally {
    closeSync(fd);
  }
}

function names(path: string, failed?: (cause: unknown) => void): string[] {
  try {
    return withSpareDescriptor(() => readdirSync(path));
  } catch (cause) {
    failed?.(cause);
    return [];
  }
}

/** Whether an error says that there is nothing, or nothing for this user, and not that it could not be read. */
function meansAbsence(cause: unknown): boolean {
  return ABSENT.has(String(codeOf(cause)));
}

const ABSENT = new Set(["ENOENT", "ENOTDIR", "ESRCH", "EACCES", "EPERM"]);

function link(path: string): string | undefined {
  return attempt(() => readlinkSync(path));
}
