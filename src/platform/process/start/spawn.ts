import { closeSync } from "node:fs";
import process from "node:process";
import { findProgram } from "../../find-program.ts";
import type { InputFifo } from "../../pipe/input-fifo.ts";
import type { PipeReader } from "../../pipe/pipe-reader.ts";
import type { OutputPipe } from "../../pipe/pipes.ts";
import type { ChildProcess, ProcessEvents, ProcessIdentity, SpawnSpec } from "../processes.ts";
import type { ProcTable } from "../table/proc-table.ts";
import { startChild } from "./by-runtime.ts";
import { reasonOf } from "./reason-of.ts";
import type { Starter } from "./starter.ts";

/** What a start takes beside what is to be started. */
export interface SpawnParts {
  readonly starter: Starter;
  readonly pipe: OutputPipe;
  readonly input?: InputFifo | undefined;
  readonly table: ProcTable;
}

/** Start a process that writes both streams to a pipe of ours; `undefined` where it cannot start, which `error` tells later. */
export function spawnWithPipe(
  spec: SpawnSpec,
  events: ProcessEvents,
  { starter, pipe, input, table }: SpawnParts,
): ChildProcess | undefined {
  const failed = failing(spec, events);
  const stdin = input?.openReader();
  const started = starter.start(spec, pipe.writeEnd, failed, stdin);
  if (stdin !== undefined) closeSync(stdin);
  input?.hasReader();
  if (started === undefined) {
    pipe.discard();
    input?.end();
    return undefined;
  }
  const { pid } = started;
  let reader: PipeReader;
  try {
    reader = pipe.read(events);
  } catch (cause) {
    // Out of descriptors: what nobody reads does not run.
    process.kill(-pid, "SIGKILL");
    started.whenExited(() => {});
    queueMicrotask(() => failed(cause));
    return undefined;
  }
  started.whenExited(events.exit);
  return {
    ...identify(pid, table),
    outputPipe: pipe.name,
    ...(input && { input }),
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
  const failed = failing(spec, events);
  // The shell would start, and tell of it in the output.
  if (findProgram(spec.file, spec.env["PATH"] ?? "") === undefined) {
    queueMicrotask(() => failed(new Error("there is no such program on the PATH")));
    return undefined;
  }
  const merged = {
    ...spec,
    file: "sh",
    args: ["-c", 'exec "$0" "$@" 2>&1', spec.file, ...spec.args],
  };
  const started = startChild(merged, ["pipe", "ignore"], failed);
  const output = started?.child.stdout;
  if (started === undefined || !output) return undefined;
  const { pid } = started;
  const outputPipe = table.openFile(pid, 1);
  output.on("data", events.data);
  output.on("error", () => {}); // "close" follows
  output.once("close", events.end);
  started.whenExited(events.exit);
  return {
    ...identify(pid, table),
    ...(outputPipe === undefined ? {} : { outputPipe }),
    pause: () => void output.pause(),
    resume: () => void output.resume(),
    release: () => void output.destroy(),
  };
}

function failing(spec: SpawnSpec, { error }: ProcessEvents): (cause: unknown) => void {
  return (cause) => error(new Error(reasonOf(cause, spec), { cause }));
}

function identify(pid: number, table: ProcTable): ProcessIdentity {
  const startTime = table.info(pid)?.startTime;
  return { pid, ...(startTime === undefined ? {} : { startTime }) };
}
