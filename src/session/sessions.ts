import { List, Map, OrderedMap } from "immutable";
import type { CommandId, SessionId } from "../event/command.ts";
import { endsCommand, type Recorded, type RuntimeEvent } from "../event/event.ts";
import type { Projection } from "../event/project.ts";

/** A session as seen from outside. */
export interface SessionView {
  readonly id: SessionId;
  readonly cwd: string;
  /** `busy`: a command's turn has come and it has not ended, be it asked about or running. */
  readonly status: "idle" | "busy" | "closed";
  /** How many commands wait for their turn. */
  readonly queued: number;
  /** The command whose turn it is. */
  readonly current?: CommandId;
  /** The newest command whose turn came; earlier ones are reached by their own ids. */
  readonly last?: CommandId;
  /** Milliseconds since the epoch, as all times here. */
  readonly openedAt: number;
  readonly closedAt?: number;
  /** Why it was closed. */
  readonly reason?: string;
}

/** All sessions that are remembered: every open one, and the newest that were closed. */
export interface SessionTable {
  /** In the order in which they were opened. */
  readonly byId: OrderedMap<SessionId, SessionView>;
  /** Those that were closed, in the order in which they were. */
  readonly closed: List<SessionId>;
  /** To which session each command belongs that has not ended. */
  readonly owners: Map<CommandId, SessionId>;
}

/** What a {@linkcode sessionsProjection} remembers. */
export interface SessionsOptions {
  /** How many closed sessions stay in the table; the earliest closed go first. 1 000 by default. */
  readonly keepClosed?: number;
}

/** The sessions of a runtime, each event in logarithmic time. */
export function sessionsProjection(
  { keepClosed = 1_000 }: SessionsOptions = {},
): Projection<SessionTable> {
  return {
    name: "sessions",
    initial: { byId: OrderedMap(), closed: List(), owners: Map() },
    evolve: (table, recorded) => forget(evolve(table, recorded), keepClosed),
  };
}

/** The sessions of a runtime, with the last 1 000 that were closed. */
export const sessions: Projection<SessionTable> = sessionsProjection();

function evolve(table: SessionTable, { at, event }: Recorded): SessionTable {
  switch (event.type) {
    case "session.opened": {
      const { sessionId: id, cwd } = event;
      const view: SessionView = { id, cwd, status: "idle", queued: 0, openedAt: at };
      return { ...table, byId: table.byId.set(id, view) };
    }
    case "session.moved":
      return change(table, event.sessionId, (view) => ({ ...view, cwd: event.cwd }));
    case "session.closed":
      return {
        ...change(table, event.sessionId, (view) => ({
          ...view,
          status: "closed",
          closedAt: at,
          reason: event.reason,
        })),
        closed: table.closed.push(event.sessionId),
      };
    case "command.requested":
      return {
        ...change(table, event.sessionId, (view) => ({ ...view, queued: view.queued + 1 })),
        owners: table.owners.set(event.commandId, event.sessionId),
      };
    case "command.admitted":
      return change(table, event.sessionId, (view) => ({
        ...view,
        status: "busy",
        queued: view.queued - 1,
        current: event.commandId,
        last: event.commandId,
      }));
    case "task.detached":
      return ended(table, event);
    default:
      return endsCommand(event) ? ended(table, event) : table;
  }
}

function ended(table: SessionTable, event: RuntimeEvent): SessionTable {
  if (!("commandId" in event)) return table;
  const { commandId } = event;
  const owner = table.owners.get(commandId);
  if (owner === undefined) return table;
  const left = { ...table, owners: table.owners.remove(commandId) };
  return change(left, owner, ({ current, ...view }) => {
    if (current === commandId) return { ...view, status: closedOr("idle", view.status) };
    const queued = view.queued - 1;
    return current === undefined ? { ...view, queued } : { ...view, current, queued };
  });
}

function closedOr(status: SessionView["status"], before: SessionView["status"]) {
  return before === "closed" ? before : status;
}

function change(
  table: SessionTable,
  id: SessionId,
  news: (view: SessionView) => SessionView,
): SessionTable {
  const view = table.byId.get(id);
  return view === undefined ? table : { ...table, byId: table.byId.set(id, news(view)) };
}

function forget(table: SessionTable, keepClosed: number): SessionTable {
  const oldest = table.closed.first();
  if (table.closed.size <= keepClosed || oldest === undefined) return table;
  return { ...table, byId: table.byId.remove(oldest), closed: table.closed.shift() };
}
