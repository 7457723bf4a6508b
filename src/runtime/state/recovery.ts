import type { RuntimeEvent } from "../../event/event.ts";
import type { Adoption } from "../../execution/executor.ts";
import { executionStarted } from "../../execution/run/execution-started.ts";
import type { NoticeTable } from "../../notification/notices.ts";
import type { ReadingState } from "../../output/reading.ts";
import type { DetachedProcess } from "../../platform/process/detached/detached-processes.ts";
import type { SessionTable } from "../../session/sessions.ts";
import { hasEnded, type Task } from "../../task/task-view.ts";
import type { TaskTable } from "../../task/tasks.ts";

/** What a log held before this runtime began. */
export interface Earlier {
  readonly tasks: TaskTable;
  readonly sessions: SessionTable;
  readonly reading: ReadingState;
  readonly notices: NoticeTable;
}

/** What to record and to do about the tasks of a dead host. */
export interface Recovery {
  readonly events: readonly RuntimeEvent[];
  /** Detached processes; each may live, or have ended since, or have left others. */
  readonly adoptions: readonly Adoption[];
}

/**
 * Decide what became of everything that an earlier host left unfinished.
 *
 * @param find Looks for the process of a task whose start did not reach the log.
 */
export function recoveryOf(
  { tasks, sessions }: Pick<Earlier, "tasks" | "sessions">,
  find: (taskId: string) => DetachedProcess | undefined,
): Recovery {
  const events: RuntimeEvent[] = [];
  const adoptions: Adoption[] = [];
  for (const task of tasks.byId.values()) {
    const { id: commandId, detached } = task;
    // Leftovers of an ended task can still be stopped.
    const leaves = hasEnded(task) && detached !== undefined && !task.closed;
    if (hasEnded(task) && !leaves) continue;
    const startedAt = task.startedAt ?? task.requestedAt;
    if (detached !== undefined) {
      adoptions.push({ commandId, ...detached, startedAt, ...(leaves && { ended: true }) });
      continue;
    }
    const found = find(commandId);
    if (found === undefined) {
      events.push({ type: "task.lost", commandId, reason: reasonOf(task) });
      continue;
    }
    const { log, pidFile, identity } = found;
    if (task.startedAt === undefined) {
      events.push(executionStarted(identity, { commandId, executor: "detached" }));
    }
    events.push({ type: "task.detached", commandId, log, pidFile, ...identity });
    adoptions.push({ commandId, log, pidFile, ...identity, startedAt });
  }
  for (const { id: sessionId, status } of sessions.byId.values()) {
    if (status === "closed") continue;
    events.push({ type: "session.closed", sessionId, reason: "Its host died" });
  }
  return { events, adoptions };
}

function reasonOf({ status, decision }: Task): string {
  if (status === "running") {
    return "Its host died while it ran; the next one ends what is left of it";
  }
  // The start is written to the log somewhat after it has happened.
  return decision?.type === "granted"
    ? "Its host died when it was to be started: it may have run"
    : "Its host died before it was started";
}
