import { CHUNK_BYTES } from "../../pipe/pipe-reader.ts";
import { cannotWrite } from "../../pipe/stream-input.ts";
import type {
  ChildProcess,
  ExitStatus,
  InputPipe,
  ProcessEvents,
  SpawnSpec,
} from "../processes.ts";
import { REAL_TIME_SIGNALS } from "../signals/signal-numbers.ts";
import type { ProcTable } from "../table/proc-table.ts";
import { identify } from "./identify.ts";
import { joined, whyNotStarted } from "./joined-outputs.ts";
import { failing } from "./reason-of.ts";

/** What is used of Deno, which the types of Node do not declare. */
interface Deno {
  readonly Command: new (file: string, options: {
    readonly args: readonly string[];
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    readonly clearEnv: true;
    readonly detached: true;
    readonly stdin: "piped" | "null";
    readonly stdout: "piped";
    readonly stderr: "null";
  }) => { spawn(): DenoChild };
}

interface DenoChild {
  readonly pid: number;
  readonly stdin: WritableStream<Uint8Array>;
  readonly stdout: ReadableStream<Uint8Array>;
  readonly status: Promise<ExitStatus>;
}

/**
 * Start a process with the pipes of Deno, which are real ones.
 *
 * Read through a reader that brings its own buffer, they take half of the processor time of `node:`
 * streams, and no memory.
 */
export function spawnOnDeno(
  spec: SpawnSpec,
  events: ProcessEvents,
  table: ProcTable,
): ChildProcess | undefined {
  const failed = failing(spec, events);
  let child: DenoChild;
  try {
    const problem = whyNotStarted(spec);
    if (problem !== undefined) throw problem;
    child = startChild(spec);
  } catch (cause) {
    queueMicrotask(() => failed(cause));
    return undefined;
  }
  const identity = identify(child.pid, table);
  const outputPipe = table.openFile(child.pid, 1);
  const input = spec.input ? inputOf(child) : undefined;
  void exitOf(child).then((status) => {
    input?.end();
    events.exit(status);
  });
  return {
    ...identity,
    ...(outputPipe === undefined ? {} : { outputPipe }),
    ...(input && { input }),
    ...readOutput(child.stdout, events),
  };
}

function startChild(spec: SpawnSpec): DenoChild {
  const { file, args, cwd, env } = joined(spec);
  const { Deno }: { readonly Deno?: Deno } = globalThis as object;
  if (Deno === undefined) throw new Error("Cannot start a process: this is not Deno");
  return new Deno.Command(file, {
    args,
    cwd,
    env,
    clearEnv: true,
    detached: true,
    stdin: spec.input ? "piped" : "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
}

/** Deno has no names for real-time signals, and rejects. */
async function exitOf(child: DenoChild): Promise<ExitStatus> {
  try {
    const { code, signal } = await child.status;
    return signal === null ? { code, signal } : { code: null, signal };
  } catch (cause) {
    const [, number] =
      /^Invalid signal: (\d+)$/.exec(cause instanceof Error ? cause.message : "") ??
        [];
    return { code: null, signal: REAL_TIME_SIGNALS.get(Number(number)) ?? null };
  }
}

function readOutput(
  output: ReadableStream<Uint8Array>,
  { data, end }: ProcessEvents,
): Pick<ChildProcess, "pause" | "resume" | "release"> {
  const reader = output.getReader({ mode: "byob" });
  let released = false;
  let paused: Promise<void> | undefined;
  let resume = () => {};
  const readAll = async () => {
    let buffer = new Uint8Array(CHUNK_BYTES);
    for (;;) {
      const { value, done } = await reader.read(buffer);
      while (paused !== undefined) await paused;
      if (done || released) return;
      data(value);
      buffer = new Uint8Array(value.buffer);
    }
  };
  void readAll().catch(() => {}).then(end);
  return {
    pause: () => {
      paused ??= new Promise((resolve) => {
        resume = resolve;
      });
    },
    resume: () => {
      paused = undefined;
      resume();
    },
    release: () => {
      released = true;
      paused = undefined;
      resume();
      void reader.cancel().catch(() => {});
    },
  };
}

function inputOf({ stdin }: DenoChild): InputPipe {
  const writer = stdin.getWriter();
  writer.closed.catch(() => {}); // each write rejects with it
  return {
    write: (bytes) =>
      writer.write(bytes).catch((cause) => {
        throw cannotWrite(cause);
      }),
    end: () => void writer.close().catch(() => {}),
  };
}
