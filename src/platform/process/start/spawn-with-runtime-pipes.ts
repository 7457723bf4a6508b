import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { DEFAULT_PATH, findProgram } from "../../environment/find-program.ts";
import { nullByte } from "../../native/posix-spawn.ts";
import { streamInput } from "../../pipe/stream-input.ts";
import type { ChildProcess, InputPipe, ProcessEvents, SpawnSpec } from "../processes.ts";
import { startChild } from "./by-runtime.ts";
import { failing } from "./start.ts";
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
  const failed = failing(spec, events);
  const problem = whyNotStarted(spec);
  if (problem !== undefined) {
    queueMicrotask(() => failed(problem));
    return undefined;
  }
  let input: InputPipe | undefined;
  const stdio: ("pipe" | "ignore")[] = [spec.input ? "pipe" : "ignore", "pipe", "ignore"];
  // Nothing reads what is reported there.
  if (spec.reports) stdio.push("pipe");
  const child = startChild(joined(spec), stdio, {
    failed,
    exit: (status) => {
      input?.end();
      events.exit(status);
    },
  });
  if (child?.pid === undefined || !child.stdout) return undefined;
  const { pid, stdin, stdout } = child;
  if (stdin) input = streamInput(stdin);
  stdout.on("data", events.data);
  stdout.on("error", () => {}); // "close" follows
  stdout.once("close", events.end);
  let paused = false;
  // Both runtimes resume the outputs of a child that exits.
  stdout.on("resume", () => {
    if (paused) stdout.pause();
  });
  return {
    ...identify(pid, table),
    ...(input && { input }),
    pause: () => {
      paused = true;
      stdout.pause();
    },
    resume: () => {
      paused = false;
      stdout.resume();
    },
    release: () => void stdout.destroy(),
  };
}

/** The same program with one pipe for both outputs, where a runtime gives one pipe to one of them only. */
function joined(spec: SpawnSpec): SpawnSpec {
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
