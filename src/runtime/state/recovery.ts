import { defined } from "../../value/defined.ts";
import type { RuntimeEvent } from "../../event/event.ts";
import type { Adoption } from "../../execution/executor.ts";
import { hasEnded, type Task } from "../../task/task-view.ts";
import type { Projected } from "./projections.ts";

/** What to record and to do about the tasks of a dead host. */
export interface Recovery {
  readonly events: readonly RuntimeEvent[];
  /** Detached processes; each may live, or have ended since, or have left others. */
  readonly adoptions: readonly Adoption[];
}

/** Decide what became of everything that an earlier host left unfinished. */
export function recoveryOf({ tasks, sessions }: Pick<Projected, "tasks" | "sessions">): Recovery {
  const events: RuntimeEvent[] = [];
  const adoptions: Adoption[] = [];
  for (const task of tasks.byId.values()) {
    const { id: commandId, detached } = task;
    // Leftovers of an ended task can still be stopped.
    const leaves = hasEnded(task) && detached !== undefined && !task.closed;
    if (hasEnded(task) && !leaves) continue;
    const startedAt = task.startedAt ?? task.requestedAt;
    if (detached !== undefined) {
      const { stoppedBy, signals } = task;
      const sent = defined({ stop: stoppedBy && { by: stoppedBy }, signals });
      adoptions.push({ commandId, ...detached, startedAt, sent, ...(leaves && { ended: true }) });
      continue;
    }
    events.push({ type: "task.lost", commandId, reason: reasonOf(task) });
  }
  for (const { id: sessionId, status } of sessions.byId.values()) {
    if (status === "closed") continue;
    events.push({ type: "session.closed", sessionId, reason: "Its host died" });
  }
  return { events, adoptions };
}

function reasonOf({ status, decision }: Task): string {
  if (status === "running") {
    return "Its host died while it ran, and what it left running is ended";
  }
  // The start is written to the log somewhat after it has happened.
  return decision?.type === "granted"
    ? "Its host died when it was to be started: it may have run"
    : "Its host died before it was started";
}
