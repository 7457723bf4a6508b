import { readFileSync, readlinkSync, statSync } from "node:fs";
import process from "node:process";
import type { Native } from "../native/load-native-calls.ts";
import { type FifoPool, fifoPool } from "../pipe/fifo-pool.ts";
import { hasRealPipes, openOutput } from "../pipe/pipes.ts";
import { keepEnds } from "../process/keep-ends.ts";
import { identify, isOfOtherProcesses, procTable } from "../process/table/proc-table.ts";
import type { ExitStatus } from "../process/processes.ts";
import { startChild } from "../process/start/by-runtime.ts";
import { ShellChannels } from "./shell-channels.ts";
import { ShellTerminal } from "./shell-terminal.ts";
import type { LiveShell, ShellEvents, Shells, ShellSpec } from "./shells.ts";
import { asError, attempt } from "../failure.ts";

/**
 * The persistent shells of this machine.
 *
 * Every channel between the host and a shell is a path below /proc that the shell opens for one
 * redirection. It needs nothing of what a command could close, and nothing of it is on disk.
 *
 * @param label Part of the names of the pipes, so that the processes that hold one are found.
 * @param native Waits for pipes where the event loop cannot; absent: they are looked at.
 */
export function hostShells(label: string, native?: Native): Shells {
  keepEnds();
  const calls = native === undefined || "unavailable" in native ? undefined : native;
  const pool = fifoPool(label, calls);
  const terminals = new Set<ShellTerminal>();
  return {
    unavailable: unreachable(),
    get most() {
      return mostShells();
    },
    start: (spec, events) => startShell(spec, events, { pool, terminals }),
    output: (events) => openOutput(pool, events),
    close: () => {
      // A process that cannot be ended may hold one.
      for (const terminal of terminals) terminal.release();
      pool.close();
    },
  };
}

/** The files that the host has open for each shell; for one on a terminal, some of them are its own. */
const FILES_EACH = 7;

function mostShells(): number {
  const limits = attempt(() => readFileSync("/proc/self/limits", "latin1")) ?? "";
  const files = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity);
  return Math.floor(files / 2 / FILES_EACH);
}

/** Why another process cannot open by a path what this one has open; `undefined` when it can. */
function unreachable(): string | undefined {
  if (!hasRealPipes()) return "persistent shells need /proc, which is not here";
  if (isOfOtherProcesses("/proc")) {
    return "persistent shells need /proc, which is that of another pid namespace here";
  }
  // Its files belong to another user where the system hides what a process has open, as of one that has changed its user.
  if (statSync("/proc/self/fd").uid !== process.geteuid?.()) {
    return "persistent shells need /proc, where the system hides the files of this process";
  }
  return undefined;
}

function startShell(
  spec: ShellSpec,
  events: ShellEvents,
  { pool, terminals }: {
    readonly pool: FifoPool;
    readonly terminals: Set<ShellTerminal>;
  },
): LiveShell | undefined {
  const channels = new ShellChannels(pool);
  const args = spec.args(channels.paths);
  const env = { ...spec.env, ...spec.channelVariables?.(channels.paths) };
  let ended = false;
  const exit = (status: ExitStatus) => {
    ended = true;
    channels.endReports(() => events.exit(status));
  };
  let child: ReturnType<typeof startChild>;
  let terminal: ShellTerminal | undefined;
  const fail = (cause: unknown) => {
    child?.kill("SIGKILL");
    terminal?.release();
    channels.close();
    events.error(asError(cause));
  };
  try {
    if (spec.terminal !== undefined) {
      const { file, cwd, terminal: { terminals: host, size } } = spec;
      const opened = new ShellTerminal(host, { file, cwd, args, env, size }, {
        exit,
        end: () => terminals.delete(opened),
      });
      terminals.add(terminal = opened);
    } else {
      child = startChild({ ...spec, args, env }, "ignore", { exit, failed: fail });
    }
    if ((terminal ?? child)?.pid !== undefined) channels.openReports(events.report);
  } catch (cause) {
    queueMicrotask(() => fail(cause));
    return undefined;
  }
  const pid = (terminal ?? child)?.pid;
  if (pid === undefined) return undefined;
  const own = `/proc/${pid}/cwd`;
  let place: string | undefined;
  return {
    ...identify(pid, procTable()),
    terminal,
    reports: channels.reports,
    get ended() {
      return ended;
    },
    send: (order, number) => channels.send(order, number),
    takeBack: () => channels.takeBack(),
    directory: (said) => {
      place = linkOf(own);
      if (place === undefined || place === said || isSameFile(own, said)) return said;
      return place.replace(/ \(deleted\)$/, "");
    },
    moved: () => linkOf(own) !== place,
    children: () => {
      const text = attempt(() => readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8"));
      return text?.split(" ").filter(Boolean).map(Number) ?? [];
    },
    close: () => channels.close(),
  };
}

function linkOf(path: string): string | undefined {
  return attempt(() => readlinkSync(path));
}

function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return a !== undefined && a.ino === b?.ino && a.dev === b.dev;
}
