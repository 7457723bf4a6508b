import type { Clock } from "../../platform/clock.ts";
import type { LineConnection } from "../../platform/control/line-server.ts";
import type { Runtime } from "../runtime.ts";
import { endSession } from "./guest/end-session.ts";
import type { Guests } from "./guest/guests.ts";
import { knownSessions } from "./known-sessions.ts";
import {
  CONTROL_VERSION,
  type ControlAnswers,
  type ControlRequest,
  readRequest,
} from "./protocol.ts";
import { readTask } from "./read-task.ts";
import { serveRun } from "./guest/serve-run.ts";
import { ClosedError, stopTask } from "./stop-task.ts";

/** Who answers, and whom. */
export interface AnswerOptions {
  readonly runtime: Runtime;
  readonly clock: Clock;
  /** Absent: it runs nothing for others. */
  readonly guests?: Guests;
  readonly connection: LineConnection;
}

/** Answer a line that came over the control socket of a runtime; never rejects. */
export async function answerLine(line: string, options: AnswerOptions): Promise<string> {
  try {
    const result = await answer(readRequest(line), options);
    return JSON.stringify({ v: CONTROL_VERSION, ok: true, result });
  } catch (cause) {
    const closing = cause instanceof ClosedError;
    return refusal(cause instanceof Error ? cause.message : String(cause), { closing });
  }
}

/** The line that says why there is no answer. */
export function refusal(
  error: string,
  { closing = false }: { readonly closing?: boolean } = {},
): string {
  return JSON.stringify({ v: CONTROL_VERSION, ok: false, error, ...(closing && { closing }) });
}

async function answer(
  request: ControlRequest,
  { runtime, clock, guests, connection }: AnswerOptions,
): Promise<ControlAnswers[ControlRequest["op"]]> {
  switch (request.op) {
    case "ping":
      return true;
    case "hello":
      if (guests === undefined) return { runs: "no" };
      if (guests.ending) return { runs: "ending" };
      // Who only looks keeps no host from ending.
      connection.closed.addEventListener("abort", guests.come(), { once: true });
      return { runs: "yes" };
    case "ps":
      return [...runtime.tasks.current.byId.values()];
    case "sessions":
      return knownSessions(runtime.sessions.current, runtime.tasks.current);
    case "read":
      return await readTask(runtime, request);
    case "stop":
      return await stopTask(runtime, clock, request.taskId);
    case "run":
      return await serveRun(runtime, request, { guests: hosting(guests, request.op), connection });
    case "answer":
      hosting(guests, request.op).questions.answer(request.askId, request.answer);
      return true;
    case "endSession": {
      // A host looks whether it is still wanted when somebody leaves.
      const leave = hosting(guests, request.op).come();
      await endSession(runtime, request.name).finally(leave);
      return true;
    }
    case "end":
      hosting(guests, request.op).end();
      return true;
  }
}

/** Whoever owns a directory for itself alone is not to be told what to do in it. */
function hosting(guests: Guests | undefined, op: string): Guests {
  if (guests === undefined) {
    throw new Error(`Cannot answer "${op}": this runtime runs nothing for others`);
  }
  return guests;
}
