import { type ChildProcess as NodeChild, spawn, type StdioOptions } from "node:child_process";
import type { SpawnSpec } from "../processes.ts";
import { whenExited } from "../when-exited.ts";
import { type Descriptors, programOf, type StartEvents } from "./start.ts";

/** Start a process as Node and Deno do, which fork; see {@linkcode Start}. */
export function byRuntime(
  spec: SpawnSpec,
  { input, output, errors = output, report }: Descriptors,
  events: StartEvents,
): number | undefined {
  const more = report === undefined ? [] : [report];
  return startChild(spec, [input ?? "ignore", output, errors, ...more], events)?.pid;
}

/** Start a process by `node:child_process`; `undefined` when it could not start. */
export function startChild(
  spec: SpawnSpec,
  stdio: StdioOptions,
  { exit, failed }: StartEvents,
): NodeChild | undefined {
  const { file, args, cwd, env } = spec;
  let child: NodeChild;
  try {
    // Deno passes over the relative directories of a PATH.
    child = spawn(programOf(spec) ?? file, [...args], {
      argv0: file,
      cwd,
      env: { ...env },
      stdio,
      detached: true,
    });
  } catch (cause) {
    // An impossible argument; any other reason comes as an event.
    queueMicrotask(() => failed(cause));
    return undefined;
  }
  if (child.pid === undefined) {
    child.once("error", failed);
    return undefined;
  }
  whenExited(child, exit);
  return child;
}
