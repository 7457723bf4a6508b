import { streamInput } from "../../pipe/stream-input.ts";
import type { ChildProcess, InputPipe, ProcessEvents, SpawnSpec } from "../processes.ts";
import type { ProcTable } from "../table/proc-table.ts";
import { startChild } from "./by-runtime.ts";
import { identify } from "./identify.ts";
import { failing } from "./reason-of.ts";
import { joined, whyNotStarted } from "./joined-outputs.ts";

/**
 * Start a process on the pipes that the runtime gives to a child, where it can have none of ours. Those
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
  const child = startChild(joined(spec), [spec.input ? "pipe" : "ignore", "pipe", "ignore"], {
    failed,
    exit: (status) => {
      input?.end();
      events.exit(status);
    },
  });
  if (child?.pid === undefined || !child.stdout) return undefined;
  const { pid, stdin, stdout } = child;
  if (stdin) input = streamInput(stdin);
  const outputPipe = table.openFile(pid, 1);
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
    ...(outputPipe === undefined ? {} : { outputPipe }),
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
