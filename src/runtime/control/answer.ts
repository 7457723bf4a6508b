import type { Clock } from "../../platform/clock.ts";
import type { Runtime } from "../runtime.ts";
import {
  CONTROL_VERSION,
  type ControlAnswers,
  type ControlRequest,
  readRequest,
} from "./protocol.ts";
import { readTask } from "./read-task.ts";
import { stopTask } from "./stop-task.ts";

/** Answer a line that came over the control socket of a runtime; never rejects. */
export async function answerLine(runtime: Runtime, clock: Clock, line: string): Promise<string> {
  try {
    const result = await answer(runtime, clock, readRequest(line));
    return JSON.stringify({ v: CONTROL_VERSION, ok: true, result });
  } catch (cause) {
    return refusal(cause instanceof Error ? cause.message : String(cause));
  }
}

/** The line that says why there is no answer. */
export function refusal(error: string): string {
  return JSON.stringify({ v: CONTROL_VERSION, ok: false, error });
}

async function answer(
  runtime: Runtime,
  clock: Clock,
  request: ControlRequest,
): Promise<ControlAnswers[ControlRequest["op"]]> {
  switch (request.op) {
    case "ps":
      return [...runtime.tasks.current.byId.values()];
    case "read":
      return await readTask(runtime, clock, request);
    case "stop":
      return await stopTask(runtime, clock, request.taskId);
  }
}
