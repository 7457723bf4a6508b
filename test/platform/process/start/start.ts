import { Buffer } from "node:buffer";
import type {
  ExitStatus,
  Processes,
  SpawnSpec,
} from "../../../../src/platform/process/processes.ts";
import { hostProcesses } from "../../../../src/platform/process/host-processes.ts";
import { spawnWithRuntimePipes } from "../../../../src/platform/process/start/spawn-with-runtime-pipes.ts";
import { procTable } from "../../../../src/platform/process/table/proc-table.ts";

/** Processes as they are started without /proc. */
export function onItsPipes(): Processes {
  const table = procTable();
  return {
    ...hostProcesses("shellflow-test"),
    spawn: (spec, events) => spawnWithRuntimePipes(spec, events, table),
  };
}

/** What became of a process, or why there was none. */
export type Became = readonly [status: ExitStatus, output: string] | string;

/** Start a process, and wait for its end and for that of its output. */
export function start(spec: Partial<SpawnSpec>, processes: Processes): Promise<Became> {
  return new Promise((resolve) => {
    const output: Uint8Array[] = [];
    let status: ExitStatus | undefined;
    let ended = false;
    const over = () => {
      if (status === undefined || !ended) return;
      resolve([status, Buffer.concat(output).toString()]);
    };
    const events = {
      data: (chunk: Uint8Array) => void output.push(Uint8Array.from(chunk)),
      end: () => {
        ended = true;
        over();
      },
      exit: (given: ExitStatus) => {
        status = given;
        over();
      },
      error: ({ message }: Error) => resolve(message),
    };
    try {
      processes.spawn({ file: "sh", args: [], cwd: "/", env: {}, ...spec }, events);
    } catch (cause) {
      resolve(String(cause));
    }
  });
}
