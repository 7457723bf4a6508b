import { nullByte } from "../../native/posix-spawn.ts";
import { streamInput } from "../../pipe/stream-input.ts";
import type { ChildProcess, InputPipe, ProcessEvents, SpawnSpec } from "../processes.ts";
import { startChild } from "./by-runtime.ts";
import { failureReporter, whyNotStarted } from "./start.ts";
import { identify, type ProcTable } from "../table/proc-table.ts";

/**
 * Start a process on the pipes that the runtime gives to a child, where there is no /proc for ours. Those
 * of Node are sockets, in which a command has no /dev/stderr.
 */
export function spawnWithRuntimePipes(
  spec: SpawnSpec,
  events: ProcessEvents,
  table: ProcTable,
): ChildProcess | undefined {
  const failed = failureReporter(spec, events);
  const problem = whyNotRun(spec);
  if (problem !== undefined) {
    queueMicrotask(() => failed(problem));
    return undefined;
  }
  let input: InputPipe | undefined;
  const { errorData } = events;
  const errors = errorData === undefined ? "ignore" : "pipe";
  const stdin = spec.input === "inherit" ? "inherit" : spec.input ? "pipe" : "ignore";
  const stdio: ("pipe" | "ignore" | "inherit")[] = [stdin, "pipe", errors];
  // Nothing reads what is reported there.
  if (spec.reports) stdio.push("pipe");
  const child = startChild(errorData === undefined ? mergingOutputs(spec) : spec, stdio, {
    failed,
    exit: (status) => {
      input?.end();
      events.exit(status);
    },
  });
  if (child?.pid === undefined || !child.stdout) return undefined;
  const { pid, stdout, stderr } = child;
  if (child.stdin) input = streamInput(child.stdin);
  const outputs = errorData === undefined || !stderr ? [stdout] : [stdout, stderr];
  let open = outputs.length;
  let paused = false;
  for (const output of outputs) {
    output.on("data", (output === stdout ? undefined : errorData) ?? events.data);
    output.on("error", () => {}); // "close" follows
    output.once("close", () => --open === 0 && events.end());
    // Both runtimes resume the outputs of a child that exits.
    output.on("resume", () => paused && output.pause());
  }
  const each = (act: "pause" | "resume" | "destroy") => outputs.forEach((output) => output[act]());
  return {
    ...identify(pid, table),
    ...(input && { input }),
    pause: () => {
      paused = true;
      each("pause");
    },
    resume: () => {
      paused = false;
      each("resume");
    },
    release: () => each("destroy"),
  };
}

/** The same program with one pipe for both outputs, where a runtime gives one pipe to one of them only. */
function mergingOutputs(spec: SpawnSpec): SpawnSpec {
  // The shell would pass on a PWD of its own.
  const clean = spec.env["PWD"] === undefined ? "unset PWD; " : "";
  const args = ["-c", `${clean}exec "$0" "$@" 2>&1`, spec.file, ...spec.args];
  return { ...spec, file: "/bin/sh", args };
}

/** What the shell before the program would write to the output, or would not notice. */
function whyNotRun(spec: SpawnSpec): Error | undefined {
  const strings = [spec.file, spec.cwd, ...spec.args, ...Object.entries(spec.env).flat()];
  if (strings.some((text) => text.includes("\0"))) return nullByte();
  const problem = whyNotStarted(spec);
  return problem === undefined ? undefined : new Error(problem);
}
