import { type ChildProcess as NodeChild, spawn } from "node:child_process";
import type { SpawnSpec } from "../processes.ts";
import { whenExited } from "../when-exited.ts";
import type { Started, Starter } from "./starter.ts";

/** What becomes of the output streams: descriptors, or a pipe of the runtime's for the first one. */
export type Outputs = readonly [number, number] | readonly ["pipe", "ignore"];

/** Start processes as the runtime does, which forks. */
export const byRuntime: Starter = {
  start: (spec, output, failed, input) => {
    const child = startChild(spec, [output, output], failed, input);
    return child && { pid: child.pid, whenExited: child.whenExited };
  },
  look: () => {}, // it listens by itself
  close: () => {},
};

/** A process that runs, and what the runtime knows of it. */
export interface StartedChild extends Started {
  readonly child: NodeChild;
}

/** Start a process of the runtime's; `undefined` where it cannot start, which `failed` tells later. */
export function startChild(
  spec: SpawnSpec,
  [output, error]: Outputs,
  failed: (cause: unknown) => void,
  input: number | "pipe" | "ignore" = "ignore",
): StartedChild | undefined {
  let child: NodeChild;
  try {
    child = spawn(spec.file, [...spec.args], {
      cwd: spec.cwd,
      env: { ...spec.env },
      stdio: [input, output, error],
      detached: true,
    });
  } catch (cause) {
    // An impossible argument; of all else an event tells.
    queueMicrotask(() => failed(cause));
    return undefined;
  }
  const { pid } = child;
  if (pid === undefined) {
    child.once("error", failed);
    return undefined;
  }
  return { child, pid, whenExited: (call) => whenExited(child, call) };
}
