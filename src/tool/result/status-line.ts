import type { Outcome } from "../../event/execution.ts";
import { outcomeText } from "../../notification/notice-text.ts";
import { hasEnded, type Task } from "../../task/task-view.ts";
import type { WaitEnd, WorkStatus } from "../tool.ts";

/** The limit of time of a command, in seconds; 0 means none. */
export interface TimeLimit {
  readonly requested: number;
  readonly effective: number;
}

/** The one line that every answer about a command has: how it ended, or that it goes on. */
export function statusLine(task: Task, end: WaitEnd | undefined, limit?: TimeLimit): string {
  const { id, sessionId, detached } = task;
  if (hasEnded(task)) {
    if (task.outcome?.type !== "timedOut" || limit === undefined) return endText(task);
    const { requested, effective } = limit;
    return `${endText(task)} (requested ${requested} s, effective ${effective} s), stopped`;
  }
  const name = `shellId "${sessionId}", task ${id}`;
  if (detached !== undefined) {
    return `detached as ${name}: process ${detached.pid}, log ${detached.log}, pid file ${detached.pidFile}`;
  }
  if (task.status === "asking") return `waiting for permission as ${name}${why(end)}`;
  if (task.waitingForInput !== undefined) {
    const { password, prompt, keys } = task.waitingForInput;
    const what = password === true ? "a password" : keys === true ? "keys" : "input";
    return `waiting for ${what} as ${name}${prompt === undefined ? "" : `: ${prompt.trim()}`}`;
  }
  if (task.status === "queued") return `queued as ${name}${why(end)}`;
  if (task.status === "preparing") return `not started yet as ${name}${why(end)}`;
  return `still running as ${name}${why(end)}`;
}

/** How a task that is over ended, in a few words. */
export function endText({ status, outcome, reason, cancelledBy }: Task): string {
  if (outcome !== undefined) return outcomeText(outcome);
  switch (status) {
    case "cancelled":
      return `not run: it was cancelled (${cancelledBy})`;
    case "denied":
      return `not run: denied: ${reason}`;
    case "rejected":
      return `not run: ${reason}`;
    default:
      return `${status}: ${reason ?? "no reason is recorded"}`;
  }
}

/** Why a wait ended before its command. */
function why(end: WaitEnd | undefined): string {
  switch (end?.type) {
    case "time":
      return `, after ${end.seconds} s`;
    case "promoted":
      return ", moved to the background by the user";
    case "steered":
      return ", moved to the background by a message";
    case "aborted":
      return ", as the wait was aborted";
    case "line":
      return `, as its output matched: ${end.text.trim()}`;
    default:
      return "";
  }
}

/** The state of a task in the words of MCP's task extension. */
export function workStatus(task: Task): WorkStatus {
  if (!hasEnded(task)) {
    return task.status === "asking" || task.waitingForInput !== undefined
      ? "input_required"
      : "working";
  }
  if (task.status === "cancelled") return "cancelled";
  const { outcome } = task;
  if (outcome?.type === "exited") return outcome.code === 0 ? "completed" : "failed";
  return isStop(outcome) ? "cancelled" : "failed";
}

/** Whether a process ended because it was to be ended. */
export function isStop(outcome: Outcome | undefined): boolean {
  return outcome?.type === "aborted" || outcome?.type === "signaled" && outcome.by !== "unknown";
}
