import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { DEFAULT_PATH, findProgram } from "../../environment/find-program.ts";
import { nullByte } from "../../native/posix-spawn.ts";
import { streamInput } from "../../pipe/stream-input.ts";
import type { ChildProcess, InputPipe, ProcessEvents, SpawnSpec } from "../processes.ts";
import { startChild } from "./by-runtime.ts";
import { failureReporter } from "./start.ts";
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
  const problem = whyNotStarted(spec);
  if (problem !== undefined) {
    queueMicrotask(() => failed(problem));
    return undefined;
  }
  let input: InputPipe | undefined;
  const { errorData } = events;
  const errors = errorData === undefined ? "ignore" : "pipe";
  const stdin = spec.input === "inherit" ? "inherit" : spec.input ? "pipe" : "ignore";
  const started = errorData === undefined ? mergingOutputs(spec) : spec;
  const child = startChild(started, [stdin, "pipe", errors], {
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

/** Why a program cannot start, which the shell before it would write to the output; `undefined` when it can. */
function whyNotStarted({ file, args, env, cwd }: SpawnSpec): Error | undefined {
  const strings = [file, cwd, ...args, ...Object.entries(env).flat()];
  if (strings.some((text) => text.includes("\0"))) {
    return nullByte();
  }
  if (findProgram(file, env["PATH"] ?? DEFAULT_PATH, cwd) !== undefined) return undefined;
  const isThere = file.includes("/") && existsSync(resolve(cwd, file));
  return Object.assign(new Error("Cannot find the program"), {
    code: isThere ? "EACCES" : "ENOENT",
  });
}
