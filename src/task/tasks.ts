import { List, OrderedMap } from "immutable";
import { defined } from "../value/defined.ts";
import type { CommandId, CommandRequested } from "../event/command.ts";
import { endsCommand, type Recorded, type RuntimeEvent } from "../event/event.ts";
import type { PermissionDenied } from "../event/permission.ts";
import type { Projection } from "../event/project.ts";
import type { PersistentMap, PersistentQueue } from "../stream/persistent.ts";
import { type Decision, hasEnded, type Task } from "./task-view.ts";

/** Every task that has not ended, and the last ones that have. */
export interface TaskTable {
  /** In the order in which they were asked for. */
  readonly byId: PersistentMap<CommandId, Task>;
  /** Those that have ended, in the order in which they did. */
  readonly ended: PersistentQueue<CommandId>;
}

/** The tasks of a runtime with so many that have ended, each event in logarithmic time. */
export function tasksProjection(keepEnded = 1_000): Projection<TaskTable> {
  return {
    name: "tasks",
    initial: { byId: OrderedMap(), ended: List() },
    evolve: (table, recorded) => evolve(table, recorded, keepEnded),
  };
}

/** The tasks of a runtime, with the last 1 000 that ended. */
export const tasks: Projection<TaskTable> = tasksProjection();

function evolve(table: TaskTable, { at, event }: Recorded, keepEnded: number): TaskTable {
  if (!("commandId" in event)) return table;
  if (event.type === "command.requested") {
    return { ...table, byId: table.byId.set(event.commandId, queued(event, at)) };
  }
  const task = table.byId.get(event.commandId);
  if (task === undefined) return table;
  const news = newsOf(task, event, at);
  if (news === undefined) return table;
  const ends = endsCommand(event);
  // Exactly one event ends a command; a second one would be a bug, and changes nothing.
  if (ends && hasEnded(task)) return table;
  const byId = table.byId.set(task.id, {
    ...task,
    ...news,
    ...(ends && { endedAt: at }),
    ...(ends && task.waitingForInput && { waitingForInput: undefined }),
  });
  return ends ? forget({ byId, ended: table.ended.push(task.id) }, keepEnded) : { ...table, byId };
}

function forget(table: TaskTable, keepEnded: number): TaskTable {
  const oldest = table.ended.first();
  if (table.ended.size <= keepEnded || oldest === undefined) return table;
  return { byId: table.byId.remove(oldest), ended: table.ended.shift() };
}

function queued(
  request: CommandRequested,
  at: number,
): Task {
  const { commandId, sessionId, command, description, origin, limits } = request;
  const { owner, background, notify, input, terminal } = request;
  return {
    id: commandId,
    sessionId,
    command,
    origin,
    ...defined({ description, owner }),
    ...(background && { background }),
    ...(notify === false && { notify }),
    ...((input === true || terminal) && { takesInput: true }),
    limits,
    status: "queued",
    requestedAt: at,
    concerns: [],
    totalBytes: 0,
    leftovers: [],
    closed: false,
  };
}

/** What an event changes in a task; `undefined` when nothing. */
function newsOf(task: Task, event: RuntimeEvent, at: number): Partial<Task> | undefined {
  switch (event.type) {
    case "command.admitted":
      return {
        status: "preparing",
        cwd: event.order.cwd,
        ...(event.order.removed && { removed: event.order.removed }),
      };
    case "command.changed":
      return event.limits && { limits: event.limits };
    case "command.rejected":
      return { status: "rejected", reason: event.reason };
    case "command.cancelled":
      return { status: "cancelled", cancelledBy: event.by };
    case "permission.asked":
      return { status: "asking", concerns: event.concerns };
    case "permission.answered":
    case "permission.withdrawn":
      return { status: "preparing", concerns: [] };
    case "permission.granted":
      return {
        status: "preparing",
        decision: { type: "granted", by: event.by, rules: event.rules },
      };
    case "permission.denied":
      return { status: "denied", reason: event.reason, decision: denial(event) };
    case "env.refused":
      return { status: "failed", reason: event.reason };
    case "execution.fellBack":
      return { fellBackFrom: task.fellBackFrom ?? event.from };
    case "execution.started":
      return {
        status: "running",
        executor: event.executor,
        pid: event.pid,
        startedAt: at,
        ...(event.terminal && { sizes: [{ from: 0, ...event.terminal }] }),
        ...(event.reset && { shellReset: event.reset }),
      };
    case "execution.resized": {
      const { at: from, columns, rows } = event;
      return { sizes: [...task.sizes ?? [], { from, columns, rows }] };
    }
    case "execution.refused": {
      const { to, reason } = event;
      return { refused: [...task.refused ?? [], { to, reason }] };
    }
    case "execution.wentOn":
      return { waitingForInput: undefined };
    case "execution.waitingForInput": {
      const { type: _, commandId: __, ...waitingForInput } = event;
      return { waitingForInput };
    }
    case "execution.stopping":
      return { stopping: event.signal, stoppedBy: task.stoppedBy ?? event.by };
    case "execution.exited":
      return {
        status: "ended",
        outcome: event.outcome,
        durationMs: event.durationMs,
        leftovers: event.leftovers,
        ...(event.shell && { cwdAfter: event.shell.cwd }),
        ...(event.shell?.reset && { shellReset: event.shell.reset }),
      };
    case "execution.closed":
      return { closed: true, leftovers: event.leftovers };
    case "execution.failed":
      return {
        status: "failed",
        reason: event.reason,
        outcome: task.startedAt === undefined
          ? { type: "spawnFailed", reason: event.reason }
          : { type: "unknown", reason: event.reason },
      };
    case "task.promoted":
      return { promotedBy: event.by };
    case "task.detached": {
      const { type: _, commandId: __, ...detached } = event;
      return { detached };
    }
    case "task.lost":
      return {
        status: "lost",
        reason: event.reason,
        outcome: { type: "lost", reason: event.reason },
        ...(event.leftovers && { leftovers: event.leftovers }),
      };
    case "command.signalled":
      return { signals: [...new Set([...task.signals ?? [], event.signal])] };
    case "command.inputWritten":
      return task.waitingForInput && { waitingForInput: undefined };
    case "output.appended":
      return { totalBytes: Math.max(task.totalBytes, event.to) };
    case "output.spilled":
      return { spillPath: event.path };
    default:
      return undefined;
  }
}

function denial({ commandId: _, ...denied }: PermissionDenied): Decision {
  return { ...denied, type: "denied" };
}
