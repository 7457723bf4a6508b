import process from "node:process";
import { warn } from "../environment.ts";
import type { NativeCalls } from "../native/native-calls.ts";
import { NoPipesError } from "../pipe/fifo-pool.ts";
import { fifoPipes, hasRealPipes, type Pipes } from "../pipe/pipes.ts";
import { keepEnds } from "./keep-ends.ts";
import type { Processes, ProcessIdentity, ProcessTable } from "./processes.ts";
import { taskkill } from "./signals/taskkill.ts";
import { byRuntime } from "./start/by-runtime.ts";
import { natively } from "./start/natively.ts";
import { spawnWithPipe, spawnWithSockets } from "./start/spawn.ts";
import { type ProcTable, procTable } from "./table/proc-table.ts";
import { psTable } from "./table/ps-table.ts";

/**
 * How old a table may be, at least; and else as old as it took to read, so that looking takes no
 * more than half of the time. It may show who has started another and ended since: that nobody is left
 * takes two of them to tell.
 */
const RECENT_MS = 5;
/** How many times the work of reading it may pass for the time that took: a machine that stood still meanwhile leaves an old table. */
const MOST_WAITING = 3;

/** The system below, as tests replace it. */
export interface HostProcessesOptions {
  /** Start processes by them and not by the runtime, where pipes of our own can be made. */
  readonly native?: NativeCalls | undefined;
  /** Where processes are looked up. */
  readonly table?: ProcTable;
  /** Sends a signal, as `process.kill` does; a negative pid means a group. */
  readonly kill?: (pid: number, signal: string | 0) => void;
  /** Where the pipes come from; they have `label` in their names. */
  readonly pipes?: Pipes;
  /** Hears, once, that there are no pipes of our own; default a warning of the process. */
  readonly onFallback?: (cause: Error) => void;
}

/**
 * The processes of this machine.
 *
 * Where no pipes can be made, which takes /proc and `mkfifo`, output comes by the pipes of the
 * runtime: those of Node are sockets, which a command cannot open by the name /dev/stderr, and a
 * watchdog does not know whose they are.
 *
 * @param label Part of the name of each output pipe; see {@linkcode ChildProcess.outputPipe}.
 */
export function hostProcesses(
  label = "shellflow",
  {
    native,
    table = hasRealPipes() ? procTable() : psTable(),
    kill = process.platform === "win32" ? taskkill() : killByPid,
    pipes: given = hasRealPipes() ? fifoPipes(label) : undefined,
    onFallback = ({ message }) => warn(message),
  }: HostProcessesOptions = {},
): Processes {
  keepEnds();
  const starter = native === undefined ? byRuntime : natively(native);
  let pipes = given;
  const ownGroup = table.info(process.pid)?.group;

  /**
   * Only the first pipes tell whether any can be made; a later failure is one of a command, and so is
   * one that passes, as when there is no descriptor left.
   */
  let proven = false;
  const prove = () => {
    try {
      pipes?.warm();
      proven = true;
    } catch (cause) {
      if (proven || !(cause instanceof NoPipesError)) throw cause;
      pipes = undefined;
      const limits =
        "a command has no /dev/stderr on Node, and one that leaves its group can outlive a crash";
      onFallback(new Error(`${cause.message}; ${limits}`, { cause }));
    }
  };

  const signal = (pid: number, name: string): boolean => {
    try {
      kill(pid, name === "0" ? 0 : name);
      return true;
    } catch (cause) {
      const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
      if (code === "ESRCH") return false;
      // Somebody else's by now, as after sudo: it is there, and hears nothing from us.
      if (code === "EPERM") return name === "0";
      throw new Error(`Cannot send ${name} to process ${pid}`, { cause });
    }
  };

  // Hundreds of commands that are ended at once look at one table, not each at its own.
  let recent: { readonly until: number; readonly table: ProcessTable } | undefined;

  return {
    spawn: (spec, events) => {
      recent = undefined;
      if (!proven) prove();
      return pipes === undefined
        ? spawnWithSockets(spec, events, table)
        : spawnWithPipe(spec, events, { starter, pipe: pipes.take(), table });
    },
    signalGroup: (group, name) =>
      group > 1 && group !== ownGroup && group !== process.pid && signal(-group, name),
    signal: (identity, name) =>
      mayBeSignalled(identity) && isSame(identity, table.info(identity.pid)) &&
      signal(identity.pid, name),
    table: (fresh = false) => {
      const start = performance.now();
      if (!fresh && recent !== undefined && start <= recent.until) return recent.table;
      const before = process.cpuUsage();
      const read = table.read();
      const end = performance.now();
      const { user, system } = process.cpuUsage(before);
      const took = Math.min(end - start, MOST_WAITING * (user + system) / 1e3);
      recent = { until: end + Math.max(RECENT_MS, took), table: read };
      return read;
    },
    lastTable: () => recent?.table,
    mayHaveFollowers: (pid) => table.mayHaveFollowers?.(pid) ?? false,
    commandLine: table.commandLine,
    warm: () => {
      try {
        prove();
      } catch {
        // The next command needs them, and tells.
      }
    },
    close: () => {
      pipes?.close();
      starter.close();
    },
  };
}

/** Nobody reads where an error of it came from, and to note that is what takes longest at the end of a command. */
function killByPid(pid: number, signal: string | 0): void {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    process.kill(pid, signal);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Never init, never this process, never the one that started it. */
function mayBeSignalled({ pid }: ProcessIdentity): boolean {
  return pid > 1 && pid !== process.pid && pid !== process.ppid;
}

/** A pid whose process started at another time belongs to somebody else by now. */
function isSame(meant: ProcessIdentity, found: ProcessIdentity | undefined): boolean {
  return meant.startTime === undefined || meant.startTime === found?.startTime;
}
