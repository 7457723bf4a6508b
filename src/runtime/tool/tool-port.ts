import { Observable } from "rxjs";
import type { CommandId } from "../../event/command.ts";
import { sourceOf } from "../../text/source/source.ts";
import { type Clock, systemClock } from "../../platform/clock.ts";
import { hasEnded } from "../../task/task.ts";
import type {
  CommandPort,
  GrowthOptions,
  InputRefusal,
  OutputSource,
  ScreenView,
  StartRequest,
} from "../../tool/port.ts";
import type { RunOptions } from "../call/request.ts";
import type { Runtime } from "../runtime.ts";
import { InputError } from "../terminal/command-input.ts";
import { ToolFiles } from "./tool-files.ts";

/** How the tools use a runtime. */
export interface ToolPortOptions {
  /** Whether a shell with a name keeps its state from command to command; default `true`, where the runtime can. */
  readonly keepShells?: boolean;
  /** Where `local://` files are, as an absolute path; default a temporary directory that goes with the runtime. */
  readonly directory?: string;
  /** The clock of the runtime; default the machine's. */
  readonly clock?: Clock;
}

/** How long one look at an output takes that nothing reports of, in milliseconds. */
const LOOK_MS = 250;

/** Connect the tools to a runtime. */
export function toolPort(
  runtime: Runtime,
  { keepShells = true, directory, clock = systemClock }: ToolPortOptions = {},
): CommandPort {
  const files = new ToolFiles(runtime, directory);
  const { capabilities } = runtime;
  const persistent = keepShells && capabilities.persistent;
  const output = (taskId: CommandId) => outputOf(runtime, taskId);
  return {
    capabilities: { ...capabilities, persistent },
    clock,
    tasks: runtime.tasks,
    sessions: runtime.sessions,
    notices: runtime.notices,
    start: (command, request) => {
      const { taskId, result } = runtime.start(command, runOptions(request, persistent));
      // The tools wait by the projection of tasks.
      result.catch(() => {});
      if (request.single) runtime.closeSession(request.shellId);
      return taskId;
    },
    grows: (taskId, options) => growthOf(runtime, taskId, options),
    read: (taskId, part) => runtime.read(taskId, part),
    output,
    unread: async (taskId, reader) => {
      const { from, to } = runtime.unread(taskId, reader);
      if (runtime.output(taskId) !== undefined) return { from, to };
      // What a detached command writes, no event reports.
      const { total } = await runtime.read(taskId, { maxBytes: 1 }).catch(() => ({ total: to }));
      return { from, to: Math.max(from, total) };
    },
    seen: (taskId, reader, to) => runtime.seen(taskId, reader, to),
    write: (taskId, input) => writeTo(runtime, taskId, input),
    screen: (taskId, from) => screenOf(runtime, taskId, from),
    stop: (taskId) => runtime.stop(taskId),
    closeShell: (shellId) => runtime.closeSession(shellId),
    promote: (taskId, by) => runtime.promote(taskId, by),
    artifact: async (taskId) => {
      const found = await output(taskId);
      return found.artifact ?? await files.artifact(taskId, found);
    },
    localFile: (name) => Promise.resolve(files.local(name)),
  };
}

function runOptions(
  { shellId, single, detach, background, notify, timeoutMs, ...rest }: StartRequest,
  persistent: boolean,
): RunOptions {
  const { owner, origin, description, cwd, env, input, terminal } = rest;
  const executor = persistent && !single && !detach && !input ? "shell" : "process";
  return {
    sessionId: shellId,
    owner,
    origin,
    ...(terminal ? { pty: true } : { executor }),
    ...(input && { input }),
    ...(detach ? { detach } : { timeoutMs }),
    ...(background && { background }),
    ...(!notify && { notify }),
    ...(description !== undefined && { description }),
    ...(cwd !== undefined && { cwd }),
    ...(env !== undefined && { env }),
  };
}

async function writeTo(
  runtime: Runtime,
  taskId: CommandId,
  input: string | { readonly keys: string },
): Promise<InputRefusal | undefined> {
  try {
    const task = runtime.tasks.current.byId.get(taskId);
    const interrupts = typeof input === "object" && input.keys.toLowerCase() === "{ctrl-c}";
    // Without a terminal nothing makes a signal of the key.
    if (interrupts && task?.takesInput && task.sizes === undefined) {
      runtime.signal(taskId, "SIGINT");
    } else await runtime.input(taskId, input);
    return undefined;
  } catch (cause) {
    if (!(cause instanceof InputError)) throw cause;
    return { type: cause.refusal, reason: cause.message };
  }
}

/** Sequences that move the cursor to a place, or erase a part of the screen. */
// deno-lint-ignore no-control-regex -- a sequence begins with one
const DRAWS = /\x1b\[[\d;]*[HfJd]/;
/** Of much output, so much of its end is looked at. */
const LOOKED_AT_BYTES = 64 * 1024;

async function screenOf(
  runtime: Runtime,
  taskId: CommandId,
  from: number,
): Promise<ScreenView | undefined> {
  const task = runtime.tasks.current.byId.get(taskId);
  if (task?.sizes === undefined || hasEnded(task)) return undefined;
  // Without an emulator, or when it has just ended, its output is shown.
  const screen = await runtime.screen(taskId).catch(() => undefined);
  if (screen === undefined || screen.alternate) return screen;
  const last = Math.max(from, screen.offset - LOOKED_AT_BYTES);
  const { bytes } = await runtime.read(taskId, { from: last, maxBytes: LOOKED_AT_BYTES });
  return DRAWS.test(new TextDecoder().decode(bytes)) ? screen : undefined;
}

async function outputOf(runtime: Runtime, taskId: CommandId): Promise<OutputSource> {
  const log = runtime.output(taskId);
  if (log !== undefined) {
    const { artifact } = log;
    if (artifact === undefined || artifact.bytes < log.total) return { source: sourceOf(log) };
    await log.flushed();
    return { source: sourceOf(log), artifact: artifact.path };
  }
  const { total } = await runtime.read(taskId, { maxBytes: 1 });
  const source = sourceOf({ total, read: (range) => runtime.read(taskId, range) });
  const path = runtime.tasks.current.byId.get(taskId)?.detached?.log;
  return { source, ...(path !== undefined && { artifact: path }) };
}

/** Emits when an output has grown: by its log, or by looks at its file where there is none. */
function growthOf(
  runtime: Runtime,
  taskId: CommandId,
  { from, ...rate }: GrowthOptions,
): Observable<unknown> {
  return new Observable((subscriber) => {
    const follow = async () => {
      for (let at = from; !subscriber.closed;) {
        const log = runtime.output(taskId);
        if (log !== undefined) {
          return void subscriber.add(log.follow({ from: at, ...rate }).subscribe(subscriber));
        }
        const looked = { from: at, maxBytes: 1, waitMs: LOOK_MS };
        const { total, ended } = await runtime.read(taskId, looked);
        if (total > at) {
          at = total;
          subscriber.next(total);
        }
        if (ended) return subscriber.complete();
      }
    };
    follow().catch(() => subscriber.complete());
  });
}
