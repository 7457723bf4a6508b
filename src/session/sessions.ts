import { Map, OrderedMap, OrderedSet } from "immutable";
import type { CommandId, Origin, SessionId, ShellState } from "../event/command.ts";
import { endsCommand, type Recorded, type RuntimeEvent } from "../event/event.ts";
import type { ShellReset } from "../event/execution.ts";
import type { OutputAppended } from "../event/output.ts";
import type { Projection } from "../event/project.ts";
import { hotUntil, isBuilding } from "./hot.ts";

/** A session as seen from outside. */
export interface SessionView {
  readonly id: SessionId;
  readonly cwd: string;
  /** `busy`: a command's turn has come and it has not ended, be it asked about or running. */
  readonly status: "idle" | "busy" | "closed";
  /** The command whose turn it is has been started. */
  readonly running: boolean;
  /** How many commands wait for their turn. */
  readonly queued: number;
  /** The command whose turn it is. */
  readonly current?: CommandId;
  /** The newest command whose turn came; earlier ones are reached by their own ids. */
  readonly last?: CommandId;
  /** Who wants its newest command: the model or the person. */
  readonly origin?: Origin;
  /** For whom its newest command is, where sessions are used again by owner. */
  readonly owner?: string;
  /** The busy session in whose stead it takes one command. */
  readonly insteadOf?: SessionId;
  /** Names in its shell that change what a line means; absent: none was ever reported. */
  readonly state?: ShellState;
  /** How often its shell began anew. */
  readonly resets: number;
  /** Why it did so last, and what was lost. */
  readonly lastReset?: ShellReset;
  /** Until when more output is to be expected; see `isHot`. */
  readonly hotUntil?: number;
  /** The newest output that was seen as text tells of something being built. */
  readonly building?: boolean;
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
  readonly closed: OrderedSet<SessionId>;
  /** To which session each command belongs whose output, or whose life, has not ended. */
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
    initial: { byId: OrderedMap(), closed: OrderedSet(), owners: Map() },
    evolve: (table, recorded) => forget(evolve(table, recorded), keepClosed),
  };
}

/** The sessions of a runtime, with the last 1 000 that were closed. */
export const sessions: Projection<SessionTable> = sessionsProjection();

function evolve(table: SessionTable, { at, event }: Recorded): SessionTable {
  switch (event.type) {
    case "session.opened": {
      const { sessionId: id, cwd, insteadOf } = event;
      const view: SessionView = {
        id,
        cwd,
        status: "idle",
        running: false,
        // What was sent to its name while an earlier session had it waits for this one.
        queued: table.byId.get(id)?.queued ?? 0,
        resets: 0,
        openedAt: at,
        ...(insteadOf !== undefined && { insteadOf }),
      };
      return { ...table, byId: table.byId.set(id, view), closed: table.closed.remove(id) };
    }
    case "session.moved":
      return change(table, event.sessionId, (view) => ({ ...view, cwd: event.cwd }));
    case "session.stateReported":
      return change(table, event.sessionId, (view) => ({ ...view, state: event.state }));
    case "session.reset": {
      const { reason, lost } = event;
      return change(table, event.sessionId, (view) => ({
        ...view,
        resets: view.resets + 1,
        lastReset: { reason, lost },
      }));
    }
    case "session.closed":
      return {
        ...change(table, event.sessionId, (view) => ({
          ...view,
          status: "closed",
          closedAt: at,
          reason: event.reason,
        })),
        closed: table.closed.add(event.sessionId),
      };
    case "command.requested": {
      const { commandId, sessionId, origin, owner } = event;
      return {
        ...change(table, sessionId, (view) => ({
          ...view,
          queued: view.queued + 1,
          origin,
          ...(owner !== undefined && { owner }),
        })),
        owners: table.owners.set(commandId, sessionId),
      };
    }
    case "command.admitted":
      return change(table, event.sessionId, (view) => ({
        ...view,
        status: "busy",
        queued: view.queued - 1,
        current: event.commandId,
        last: event.commandId,
      }));
    case "execution.started":
      return changeOf(
        table,
        event.commandId,
        (view) => view.current === event.commandId ? { ...view, running: true } : view,
      );
    case "output.appended":
      return changeOf(table, event.commandId, (view) => warmed(view, event, at));
    case "execution.closed":
      return { ...table, owners: table.owners.remove(event.commandId) };
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
  // What it left behind may go on writing, which is told until `execution.closed`.
  const writes = event.type === "execution.exited";
  const left = writes ? table : { ...table, owners: table.owners.remove(commandId) };
  return change(left, owner, (view) => {
    if (view.current === commandId) return rested(view);
    return { ...view, queued: view.queued - 1 };
  });
}

/** A session whose command has ended. */
function rested({ current: _, hotUntil: __, building: ___, ...view }: SessionView): SessionView {
  const status = view.status === "closed" ? "closed" : "idle";
  return { ...view, status, running: false };
}

function warmed(view: SessionView, { inline }: OutputAppended, at: number): SessionView {
  // Beyond the first bytes the text is not in the events: what was being built still is.
  const building = isBuilding(inline) ?? view.building ?? false;
  return { ...view, building, hotUntil: hotUntil(at, building) };
}

function change(
  table: SessionTable,
  id: SessionId,
  news: (view: SessionView) => SessionView,
): SessionTable {
  const view = table.byId.get(id);
  return view === undefined ? table : { ...table, byId: table.byId.set(id, news(view)) };
}

/** Change the session of a command. */
function changeOf(
  table: SessionTable,
  commandId: CommandId,
  news: (view: SessionView) => SessionView,
): SessionTable {
  const id = table.owners.get(commandId);
  return id === undefined ? table : change(table, id, news);
}

function forget(table: SessionTable, keepClosed: number): SessionTable {
  // Its size first: what comes first is told by walking there.
  if (table.closed.size <= keepClosed) return table;
  const oldest = table.closed.first();
  if (oldest === undefined) return table;
  return { ...table, byId: table.byId.remove(oldest), closed: table.closed.remove(oldest) };
}
