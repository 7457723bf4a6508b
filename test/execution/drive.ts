import { Buffer } from "node:buffer";
import type { CommandId } from "../../src/event/command.ts";
import type { Invocation } from "../../src/event/env.ts";
import { EnvValues } from "../../src/event/env-values.ts";
import type { ExecutionEvent, ExecutionExited } from "../../src/event/execution.ts";
import type { Executor } from "../../src/execution/executor.ts";
import type { ByteSinks, Demand } from "../../src/stream/bytes.ts";

/** What came of one command that was given to an executor. */
export interface Driven {
  readonly commandId: CommandId;
  /** Types and order of everything that happened, bytes included. */
  readonly happened: string[];
  readonly events: ExecutionEvent[];
  readonly exited: Promise<ExecutionExited>;
  readonly completed: Promise<void>;
  readonly demand: () => Demand;
  /** Resolves when there is a demand. */
  readonly opened: Promise<void>;
  readonly text: () => string;
  readonly bytes: () => Uint8Array;
  readonly unsubscribe: () => void;
}

/** An invocation of bash as the runtime builds it. */
export function bash(command: string, limits: Invocation["limits"] = {}): Invocation {
  return {
    command,
    file: "bash",
    args: ["--noprofile", "--norc", "-c", command],
    cwd: "/",
    env: new EnvValues({ PATH: "/usr/local/bin:/usr/bin:/bin" }),
    executor: "process",
    limits,
  };
}

let count = 0;

/** Run a command and note what happens. */
export function drive(
  executor: Executor,
  invocation: Invocation,
  onEvent: (event: ExecutionEvent, commandId: CommandId) => void = () => {},
): Driven {
  const commandId = `task_${++count}`;
  const events: ExecutionEvent[] = [];
  const happened: string[] = [];
  const decoder = new TextDecoder();
  const chunks: Uint8Array[] = [];
  let text = "";
  let demand: Demand | undefined;
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const sinks: ByteSinks = {
    open: (_, given) => {
      demand = given;
      open();
      return {
        write: (chunk) => {
          happened.push("bytes");
          chunks.push(Uint8Array.from(chunk));
          text += decoder.decode(chunk, { stream: true });
        },
        end: () => happened.push("end"),
      };
    },
  };
  let exit: (event: ExecutionExited) => void = () => {};
  let fail: (cause: Error) => void = () => {};
  const exited = new Promise<ExecutionExited>((resolve, reject) => {
    exit = resolve;
    fail = reject;
  });
  exited.catch(() => {});
  let complete: () => void = () => {};
  const completed = new Promise<void>((resolve) => {
    complete = resolve;
  });
  const subscription = executor.run(commandId, invocation, sinks).subscribe({
    next: (event) => {
      happened.push(event.type);
      events.push(event);
      onEvent(event, commandId);
      if (event.type === "execution.exited") exit(event);
      if (event.type === "execution.failed") fail(new Error(event.reason));
    },
    error: fail,
    complete: () => complete(),
  });
  return {
    commandId,
    happened,
    events,
    exited,
    completed,
    opened,
    demand: () => {
      if (demand === undefined) throw new Error("Cannot steer: no sink was opened");
      return demand;
    },
    text: () => text,
    bytes: () => Uint8Array.from(Buffer.concat(chunks)),
    unsubscribe: () => subscription.unsubscribe(),
  };
}
