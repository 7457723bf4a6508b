import process from "node:process";
import type { Native } from "../native/load-native-calls.ts";
import { fifoPool } from "../pipe/fifo-pool.ts";
import { hasRealPipes } from "../pipe/pipes.ts";
import { keepEnds } from "./keep-ends.ts";
import type { Processes, ProcessIdentity, ProcessTable, Spawning } from "./processes.ts";
import { taskkill } from "./signals/taskkill.ts";
import { byRuntime } from "./start/by-runtime.ts";
import { byPosixSpawn } from "./start/by-posix-spawn.ts";
import { spawnWithFifos } from "./start/spawn-with-fifos.ts";
import { spawnWithRuntimePipes } from "./start/spawn-with-runtime-pipes.ts";
import { type ProcTable, procTable } from "./table/proc-table.ts";
import { psTable } from "./table/ps-table.ts";
import { codeOf } from "../failure.ts";

/**
 * How old a table may be, at least; and else twice as old as it took to read, so that reading takes
 * half of the time at most. It may show a process that has started another and ended since: that no
 * process is left takes two of them.
 */
const RECENT_MS = 5;
/** A machine that stood still while it was read leaves an old table. */
const MAX_RECENT_MS = 400;

/** The system below, as tests replace it. */
export interface HostProcessesOptions {
  /** Starts processes instead of the runtime, where pipes of our own can be made. */
  readonly native?: Native;
  /** Where processes are looked up. */
  readonly table?: ProcTable;
  /** Sends a signal, as `process.kill` does; a negative pid means a group. */
  readonly kill?: (pid: number, signal: string | 0) => void;
}

/**
 * The processes of this machine.
 *
 * Without /proc, output comes over the pipes of the runtime: on Node sockets, which a command cannot
 * open by the name /dev/stderr.
 *
 * @param label Part of the name of each output pipe; see {@linkcode ChildProcess.outputPipe}.
 */
export function hostProcesses(
  label = "shellflow",
  {
    native = { unavailable: "native calls were not loaded" },
    table = hasRealPipes() ? procTable() : psTable(),
    kill = process.platform === "win32"
      ? taskkill()
      : (pid, signal) => void process.kill(pid, signal),
  }: HostProcessesOptions = {},
): Processes {
  keepEnds();
  const calls = "unavailable" in native ? undefined : native;
  const start = calls === undefined ? byRuntime : byPosixSpawn(calls);
  const pool = hasRealPipes() ? fifoPool(label, calls) : undefined;
  const ownGroup = table.info(process.pid)?.group;

  const signal = (pid: number, name: string): boolean => {
    try {
      kill(pid, name === "0" ? 0 : name);
      return true;
    } catch (cause) {
      if (codeOf(cause) === "ESRCH") return false;
      // It is there, and another user's by now, as after sudo.
      if (codeOf(cause) === "EPERM") return name === "0";
      throw new Error(`Cannot send ${name} to process ${pid}`, { cause });
    }
  };

  // Hundreds of commands that are ended at once share one table.
  let recent: { readonly start: number; readonly table: ProcessTable; inTurn: boolean } | undefined;
  const lastsMs = ({ spentMs = 0 }: ProcessTable) =>
    Math.min(MAX_RECENT_MS, Math.max(RECENT_MS, 2 * spentMs));

  return {
    get spawning(): Spawning {
      if ("unavailable" in native) return { kind: "runtime", reason: native.unavailable };
      return pool === undefined
        ? { kind: "runtime", reason: "no pipes of our own can be made here" }
        : { kind: "posix_spawn" };
    },
    spawn: (spec, events) => {
      recent = undefined;
      return pool === undefined
        ? spawnWithRuntimePipes(spec, events, table)
        : spawnWithFifos(spec, events, { start, pool, table });
    },
    signalGroup: (group, name) =>
      group > 1 && group !== ownGroup && group !== process.pid && signal(-group, name),
    signal: (identity, name) =>
      mayBeSignalled(identity) && isSame(identity, table.info(identity.pid)) &&
      signal(identity.pid, name),
    table: (fresh = false) => {
      const start = performance.now();
      if (recent !== undefined && fresh !== true) {
        const lasts = fresh === "turn"
          ? recent.inTurn
          : start - recent.start <= lastsMs(recent.table);
        if (lasts) return recent.table;
      }
      const read = { start, table: table.read(), inTurn: true };
      recent = read;
      queueMicrotask(() => read.inTurn = false);
      return read.table;
    },
    lastTable: () => recent?.table,
    mayHaveFollowers: (pid) => table.mayHaveFollowers?.(pid) ?? false,
    argv: (pid) => {
      const words = table.argv(pid);
      // A copy of this process has not executed its program yet.
      return words.join("\0") === table.argv(process.pid).join("\0") ? [] : words;
    },
    commandLine: table.commandLine,
    close: () => pool?.close(),
  };
}

/** Never init, never this process, never the one that started it. */
function mayBeSignalled({ pid }: ProcessIdentity): boolean {
  return pid > 1 && pid !== process.pid && pid !== process.ppid;
}

/** A pid whose process started at another time is that of another process by now. */
function isSame(meant: ProcessIdentity, found: ProcessIdentity | undefined): boolean {
  return meant.startTime === undefined || meant.startTime === found?.startTime;
}
