import { type ChildProcess as NodeChild, spawn } from "node:child_process";
import process from "node:process";
import { fifoPipes, hasRealPipes, type OutputPipe } from "./pipes.ts";
import { procTable } from "./proc-table.ts";
import type {
  ChildProcess,
  Processes,
  ProcessEvents,
  ProcessIdentity,
  ProcessTable,
  SpawnSpec,
} from "./processes.ts";

/** How old a table may be. Who has no process in it cannot have got one since, unless we start it. */
const RECENT_MS = 5;

/**
 * The processes of this machine.
 *
 * @param label Part of the name of each output pipe; see {@linkcode ChildProcess.outputPipe}.
 */
export function hostProcesses(label = "shellflow"): Processes {
  const pipes = hasRealPipes() ? fifoPipes(label) : undefined;
  const table = procTable();
  const ownGroup = table.info(process.pid)?.group;

  const signal = (pid: number, name: string): boolean => {
    try {
      process.kill(pid, name === "0" ? 0 : name);
      return true;
    } catch (cause) {
      if (cause instanceof Error && "code" in cause && cause.code === "ESRCH") return false;
      throw new Error(`Cannot send ${name} to process ${pid}`, { cause });
    }
  };

  // Hundreds of commands that are ended at once look at one table, not each at its own.
  let recent: { readonly at: number; readonly table: ProcessTable } | undefined;

  return {
    spawn: (spec, events) => {
      recent = undefined;
      return pipes === undefined
        ? spawnWithSockets(spec, events)
        : spawnWithPipe(spec, events, pipes.take(), (pid) => table.info(pid)?.startTime);
    },
    signalGroup: (group, name) =>
      group > 1 && group !== ownGroup && group !== process.pid && signal(-group, name),
    signal: (identity, name) =>
      mayBeSignalled(identity) && isSame(identity, table.info(identity.pid)) &&
      signal(identity.pid, name),
    table: () => {
      const now = performance.now();
      if (recent === undefined || now - recent.at > RECENT_MS) {
        recent = { at: now, table: table.read() };
      }
      return recent.table;
    },
    commandLine: table.commandLine,
    warm: () => pipes?.warm(),
    close: () => pipes?.close(),
  };
}

/** Never init, never this process, never the one that started it. */
function mayBeSignalled({ pid }: ProcessIdentity): boolean {
  return pid > 1 && pid !== process.pid && pid !== process.ppid;
}

/** A pid whose process started at another time belongs to somebody else by now. */
function isSame(meant: ProcessIdentity, found: ProcessIdentity | undefined): boolean {
  return meant.startTime === undefined || meant.startTime === found?.startTime;
}

function spawnWithPipe(
  spec: SpawnSpec,
  events: ProcessEvents,
  pipe: OutputPipe,
  startTimeOf: (pid: number) => string | undefined,
): ChildProcess | undefined {
  let child: NodeChild | undefined;
  let failure: unknown;
  try {
    child = start(spec, ["ignore", pipe.writeEnd, pipe.writeEnd]);
  } catch (cause) {
    failure = cause;
  }
  if (child?.pid === undefined) {
    pipe.read({ data: () => {}, end: () => {} });
    fail(child, failure, events);
    return undefined;
  }
  const reader = pipe.read(events);
  child.once("exit", (code, signal) => events.exit({ code, signal }));
  const startTime = startTimeOf(child.pid);
  return {
    pid: child.pid,
    ...(startTime === undefined ? {} : { startTime }),
    outputPipe: pipe.name,
    pause: reader.pause,
    resume: reader.resume,
    release: reader.release,
  };
}

/** Where there is no /proc: the pipes of the runtime, with the shell to join both streams. */
function spawnWithSockets(spec: SpawnSpec, events: ProcessEvents): ChildProcess | undefined {
  const merged = {
    ...spec,
    file: "sh",
    args: ["-c", 'exec "$0" "$@" 2>&1', spec.file, ...spec.args],
  };
  const child = start(merged, ["ignore", "pipe", "ignore"]);
  const output = child.stdout;
  if (child.pid === undefined || output === null) {
    fail(child, undefined, events);
    return undefined;
  }
  output.on("data", events.data);
  output.once("close", events.end);
  child.once("exit", (code, signal) => events.exit({ code, signal }));
  return {
    pid: child.pid,
    pause: () => void output.pause(),
    resume: () => void output.resume(),
    release: () => void output.destroy(),
  };
}

function start(spec: SpawnSpec, stdio: ["ignore", number | "pipe", number | "ignore"]): NodeChild {
  return spawn(spec.file, [...spec.args], {
    cwd: spec.cwd,
    env: { ...spec.env },
    stdio,
    detached: true,
  });
}

/** The runtimes tell of a failed start later, by an event; or at once, when an argument is impossible. */
function fail(child: NodeChild | undefined, failure: unknown, { error }: ProcessEvents): void {
  if (child !== undefined) {
    child.once("error", error);
    return;
  }
  const cause = failure instanceof Error ? failure : new Error(String(failure));
  queueMicrotask(() => error(cause));
}
