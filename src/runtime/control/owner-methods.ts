import { RefusedError } from "../../control/conversation-errors.ts";
import { type Method, method } from "../../control/method.ts";
import { lookUntil } from "../../execution/tree/look-until.ts";
import { base64Of } from "../../platform/base64.ts";
import { farSockets } from "../../platform/control/control-path.ts";
import type { Runtime } from "../runtime.ts";
import type { Guests } from "./guest/guests.ts";
import { serveRun } from "./guest/serve-run.ts";
import { knownSessions } from "./known-sessions.ts";
import { control, CONTROL_VERSION } from "./protocol.ts";
import { stopTask } from "./stop-task.ts";
import { filter, firstValueFrom } from "rxjs";
import type { SessionId } from "../../event/command.ts";
import { hasEnded } from "../../task/task-view.ts";

/** A runtime that owns a directory. */
export interface OwningRuntime extends Runtime {
  /** Whether {@linkcode Runtime.close} was called. */
  readonly closing: boolean;
}

/** How long the program of a runtime may take until it begins to close it, in milliseconds. */
const CLOSES_MS = 5_000;

/** How much one answer carries at most, in bytes. */
const MAX_READ_BYTES = 1024 * 1024;

/** The requests that another process makes to the owner of a directory, on one connection. */
export function ownerMethods(
  runtime: OwningRuntime,
  { guests, proof }: {
    /** Absent: it runs nothing for others. */
    readonly guests?: Guests | undefined;
    /** What a ping has to show before other requests are answered; absent: nothing. */
    readonly proof?: () => string;
  },
): readonly Method[] {
  const host = (name: string): Guests => {
    if (guests !== undefined) return guests;
    throw new Error(`Cannot answer "${name}": this runtime runs nothing for others`);
  };
  let proved = proof === undefined;
  const ping = method(control.ping, ({ version, proof: given }) => {
    if (version !== CONTROL_VERSION) {
      throw new Error(
        `Cannot answer version ${version}: this owner has version ${CONTROL_VERSION}`,
      );
    }
    proved ||= given === proof?.();
    if (!proved) throw unproved(ping.name);
    return { guests: guests !== undefined };
  });
  const others = [
    method(control.run, (request, context) => {
      const guests = host("run");
      if (guests.ending || runtime.closing) throw closingError();
      return guests.during(serveRun(runtime, request, context));
    }),
    method(control.ps, () => [...runtime.tasks.current.byId.values()]),
    method(control.sessions, () => knownSessions(runtime.sessions.current, runtime.tasks.current)),
    method(control.read, async ({ taskId, from, maxBytes: asked }) => {
      const maxBytes = Math.min(asked, MAX_READ_BYTES);
      const { bytes, ...range } = await runtime.read(taskId, { from, maxBytes });
      return { ...range, base64: base64Of(bytes) };
    }),
    method(control.stop, ({ taskId }) => stopTask(runtime, taskId)),
    method(control.endSession, async ({ name }) => {
      await host("endSession").during(endSession(runtime, name));
      return true;
    }),
    method(control.end, async () => {
      host("end").end();
      await closes(runtime);
      return true;
    }),
  ];
  const guarded = ({ name, call }: Method): Method => ({
    name,
    call: async (params, context) => {
      if (!proved) throw unproved(name);
      try {
        return await call(params, context);
      } catch (cause) {
        // What fails while the runtime closes may work for the next owner, unless it has an effect.
        throw runtime.closing && name !== control.run.method ? closingError(cause) : cause;
      }
    },
  });
  return [ping, ...others.map(guarded)];
}

/** @throws {Error} When the program of a runtime does not close it, as it was asked to. */
function closes(runtime: OwningRuntime): Promise<void> {
  const { clock } = runtime;
  const deadline = clock.monotonic() + CLOSES_MS;
  return new Promise((resolve, reject) => {
    lookUntil(clock, () => {
      if (runtime.closing) resolve();
      else if (clock.monotonic() < deadline) return false;
      else {
        reject(
          new Error(
            "Cannot end the runtime: its program was asked to close it, and has not begun within " +
              `${CLOSES_MS / 1_000} seconds; end the program itself`,
          ),
        );
      }
      return true;
    }, { firstMs: 1, longestMs: 100 });
  });
}

function unproved(name: string): Error {
  return new Error(
    `Cannot answer "${name}": it comes from a sandbox, or from where "${farSockets()}" is another ` +
      "directory",
  );
}

function closingError(cause?: unknown): RefusedError {
  const message = cause instanceof Error ? cause.message : "Cannot answer: the runtime is closing";
  return new RefusedError(message, { closing: true });
}

/** End what runs and waits in a session, and then the session. */
export async function endSession(
  runtime: Pick<Runtime, "sessions" | "tasks" | "stop" | "closeSession">,
  sessionId: SessionId,
): Promise<void> {
  const { sessions, tasks } = runtime;
  if (!sessions.current.byId.has(sessionId)) {
    throw new Error(`Cannot end session "${sessionId}": there is no such session`);
  }
  const ends = [...tasks.current.byId.values()]
    .filter((task) => task.sessionId === sessionId && !hasEnded(task))
    .map(({ id }) => runtime.stop(id));
  runtime.closeSession(sessionId);
  const isClosed = filter(() => sessions.current.byId.get(sessionId)?.status === "closed");
  const closed = firstValueFrom(sessions.changes.pipe(isClosed), { defaultValue: undefined });
  await Promise.all([closed, ...ends]);
}
