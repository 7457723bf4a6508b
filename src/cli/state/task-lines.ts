import type { Ending } from "../../runtime/call/result.ts";
import { isSessionName } from "../../runtime/control/session-name.ts";
import type { Task } from "../../task/task-view.ts";
import { oneLine } from "../../text/clip.ts";
import { COMMAND_CHARS, table } from "./table.ts";

/** Tasks as a table for people, a line each; with their sessions where those have names. */
export function taskLines(tasks: readonly Task[]): string {
  const named = tasks.some(({ sessionId }) => isSessionName(sessionId));
  const session = (name: string) => named ? [isSessionName(name) ? name : "-"] : [];
  const titles = ["TASK", ...named ? ["SESSION"] : [], "STATUS", "OUTPUT", "TIME", "COMMAND"];
  const rows = tasks.map((task) => [
    task.id,
    ...session(task.sessionId),
    endOf(task),
    `${task.totalBytes} B`,
    task.durationMs === undefined ? "-" : `${task.durationMs} ms`,
    oneLine(task.command, COMMAND_CHARS),
  ]);
  return table([titles, ...rows], ["OUTPUT", "TIME"]);
}

function endOf({ outcome, status, leftovers }: Task): string {
  const left = leftovers.length === 0 ? "" : `, ${leftovers.length} left`;
  return `${outcome === undefined ? status : nameOf(outcome)}${left}`;
}

/** How a task ended, in a word or two. */
export function nameOf(outcome: Ending): string {
  switch (outcome.type) {
    case "exited":
      return `exited ${outcome.code}`;
    case "signaled":
      return outcome.signal;
    case "aborted":
      return `aborted by ${outcome.by}`;
    default:
      return outcome.type;
  }
}
