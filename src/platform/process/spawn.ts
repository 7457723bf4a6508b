import { type ChildProcess as NodeChild, spawn } from "node:child_process";
import process from "node:process";
import { checkDirectory } from "../file/directories.ts";
import { findProgram } from "../find-program.ts";
import type { PipeReader } from "../pipe/pipe-reader.ts";
import type { OutputPipe } from "../pipe/pipes.ts";
import type { ChildProcess, ProcessEvents, ProcessIdentity, SpawnSpec } from "./processes.ts";
import type { ProcTable } from "./table/proc-table.ts";
import { whenExited } from "./when-exited.ts";

/** Start a process that writes both streams to a pipe of ours; `undefined` where it cannot start, which `error` tells later. */
export function spawnWithPipe(
  spec: SpawnSpec,
  events: ProcessEvents,
  pipe: OutputPipe,
  table: ProcTable,
): ChildProcess | undefined {
  let child: NodeChild | undefined;
  let failure: unknown;
  try {
    child = start(spec, ["ignore", pipe.writeEnd, pipe.writeEnd]);
  } catch (cause) {
    failure = cause;
  }
  if (child?.pid === undefined) {
    pipe.discard();
    fail(spec, child, failure, events);
    return undefined;
  }
  const { pid } = child;
  let reader: PipeReader;
  try {
    reader = pipe.read(events);
  } catch (cause) {
    // Out of descriptors: what nobody reads does not run.
    process.kill(-pid, "SIGKILL");
    fail(spec, undefined, cause, events);
    return undefined;
  }
  whenExited(child, events.exit);
  return {
    ...identify(pid, table),
    outputPipe: pipe.name,
    pause: reader.pause,
    resume: reader.resume,
    release: reader.release,
  };
}

/** The same with a pipe of the runtime, and the shell to join both streams. */
export function spawnWithSockets(
  spec: SpawnSpec,
  events: ProcessEvents,
  table: ProcTable,
): ChildProcess | undefined {
  const merged = {
    ...spec,
    file: "sh",
    args: ["-c", 'exec "$0" "$@" 2>&1', spec.file, ...spec.args],
  };
  let child: NodeChild | undefined;
  let failure: unknown;
  try {
    // The shell would start, and tell of it in the output.
    if (findProgram(spec.file, spec.env["PATH"] ?? "") === undefined) {
      throw new Error("there is no such program on the PATH");
    }
    child = start(merged, ["ignore", "pipe", "ignore"]);
  } catch (cause) {
    failure = cause;
  }
  const output = child?.stdout;
  if (child?.pid === undefined || !output) {
    fail(spec, child, failure, events);
    return undefined;
  }
  const outputPipe = table.openFile(child.pid, 1);
  output.on("data", events.data);
  output.on("error", () => {}); // "close" follows
  output.once("close", events.end);
  whenExited(child, events.exit);
  return {
    ...identify(child.pid, table),
    ...(outputPipe === undefined ? {} : { outputPipe }),
    pause: () => void output.pause(),
    resume: () => void output.resume(),
    release: () => void output.destroy(),
  };
}

function identify(pid: number, table: ProcTable): ProcessIdentity {
  const startTime = table.info(pid)?.startTime;
  return { pid, ...(startTime === undefined ? {} : { startTime }) };
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
function fail(
  spec: SpawnSpec,
  child: NodeChild | undefined,
  failure: unknown,
  { error }: ProcessEvents,
): void {
  const tell = (cause: unknown) => error(new Error(reasonOf(cause, spec), { cause }));
  if (child === undefined) queueMicrotask(() => tell(failure));
  else child.once("error", tell);
}

/** In words what the system has a code for, and names the wrong thing at times. */
function reasonOf(cause: unknown, { cwd }: SpawnSpec): string {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  switch (code) {
    case "E2BIG":
      return "the command and its environment are longer than the system takes";
    case "EMFILE":
    case "ENFILE":
      return "too many files are open";
    case "EAGAIN":
      return "there are too many processes";
    case "EACCES":
    case "ENOENT": {
      const problem = checkDirectory(cwd);
      if (problem !== undefined) return problem;
      return code === "ENOENT" ? "there is no such program" : "it may not be run";
    }
    default:
      return cause instanceof Error ? cause.message : String(cause);
  }
}
