import { OrderedMap, OrderedSet } from "immutable";
import type { CommandId, Origin, SessionId, ShellState } from "../event/command.ts";
import { endsCommand, type Recorded } from "../event/event.ts";
import type { ShellReset } from "../event/execution.ts";
import type { OutputAppended } from "../event/output.ts";
import type { Projection } from "../event/project.ts";
import type { PersistentMap, PersistentSet } from "../stream/persistent.ts";
import { hotUntil, isBuilding } from "./hot.ts";

/** A session as seen from outside. */
export interface SessionView {
  readonly id: SessionId;
  readonly cwd: string;
  /** `busy`: a command is the current one; it is analysed, asked about, or runs. */
  readonly status: "idle" | "busy" | "closed";
  /** The current command has started. */
  readonly running: boolean;
  /** How many commands wait for their turn. */
  readonly queued: number;
  /** How many commands were requested of which something is left: one waits, runs, or holds its output. */
  readonly open: number;
  /** The command that the session runs or prepares now. */
  readonly current?: CommandId;
  /** The last command that became the current one; earlier ones are reached by their own ids. */
  readonly last?: CommandId;
  /** The origin of its newest command: the model or the user. */
  readonly origin?: Origin;
  /** The owner of its newest command, where sessions are reused by owner. */
  readonly owner?: string;
  /** The busy session that it stands in for, for one command. */
  readonly insteadOf?: SessionId;
  /** Names in its shell that change what a line means; absent: none was ever reported. */
  readonly state?: ShellState;
  /** How often its shell was replaced. */
  readonly resets: number;
  /** Why it did so last, and what was lost. */
  readonly lastReset?: ShellReset;
  /** Until when more output is to be expected; see `isHot`. */
  readonly hotUntil?: number;
  /** The newest output that was seen as text speaks of a build. */
  readonly building?: boolean;
  /** Milliseconds since the epoch, as all times here. */
  readonly openedAt: number;
  readonly closedAt?: number;
  /** Why it was closed. */
  readonly reason?: string;
}

/** Every open session, and the last ones that were closed. */
export interface SessionTable {
  /** In the order in which they were opened. */
  readonly byId: PersistentMap<SessionId, SessionView>;
  /** Those that were closed, in the order in which they were. */
  readonly closed: PersistentSet<SessionId>;
  /** Each command of which something is left. */
  readonly commands: PersistentMap<CommandId, SessionCommand>;
}

/** What a session knows of a command. */
export interface SessionCommand {
  readonly sessionId: SessionId;
  /** It waits for its turn. */
  readonly queued: boolean;
  /** Its session goes on without it from its start. */
  readonly promoted: boolean;
}

/** The sessions of a runtime with so many that were closed, each event in logarithmic time. */
export function sessionsProjection(keepClosed = 1_000): Projection<SessionTable> {
  return {
    name: "sessions",
    initial: { byId: OrderedMap(), closed: OrderedSet(), commands: OrderedMap() },
    evolve: (table, recorded) => evolve(table, recorded, keepClosed),
  };
}

/** The sessions of a runtime, with the last 1 000 that were closed. */
export const sessions: Projection<SessionTable> = sessionsProjection();

function evolve(table: SessionTable, { at, event }: Recorded, keepClosed: number): SessionTable {
  switch (event.type) {
    case "session.opened": {
      const { sessionId: id, cwd, insteadOf } = event;
      const view: SessionView = {
        id,
        cwd,
        status: "idle",
        running: false,
        // Commands that were sent to the name while an earlier session had it wait for this one.
        queued: table.byId.get(id)?.queued ?? 0,
        open: table.byId.get(id)?.open ?? 0,
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
    case "session.closed": {
      const { sessionId, reason } = event;
      const news = { status: "closed", closedAt: at, reason } as const;
      const { byId } = change(table, sessionId, (view) => ({ ...view, ...news }));
      return forget({ ...table, byId, closed: table.closed.add(sessionId) }, keepClosed);
    }
    case "command.requested": {
      const { commandId, sessionId, origin, owner } = event;
      return {
        ...change(table, sessionId, (view) => ({
          ...view,
          queued: view.queued + 1,
          open: view.open + 1,
          origin,
          ...(owner !== undefined && { owner }),
        })),
        commands: table.commands.set(commandId, { sessionId, queued: true, promoted: false }),
      };
    }
    case "command.admitted": {
      const { commandId, sessionId } = event;
      const admitted = change(table, sessionId, (view) => ({
        ...view,
        status: "busy",
        queued: view.queued - 1,
        current: commandId,
        last: commandId,
      }));
      return changeCommand(admitted, commandId, { queued: false });
    }
    case "execution.started": {
      const { commandId } = event;
      const isCurrent = viewOf(table, commandId)?.current === commandId;
      const started = isCurrent
        ? changeOf(table, commandId, (view) => ({ ...view, running: true }))
        : table;
      return started.commands.get(commandId)?.promoted ? release(started, commandId) : started;
    }
    case "task.promoted": {
      const { commandId } = event;
      const promoted = changeCommand(table, commandId, { promoted: true });
      const view = viewOf(table, commandId);
      return view?.current === commandId && view.running ? release(promoted, commandId) : promoted;
    }
    case "output.appended":
      return changeOf(table, event.commandId, (view) => warmed(view, event, at));
    case "task.detached":
      return close(release(table, event.commandId), event.commandId);
    default: {
      if (!("commandId" in event)) return table;
      const { commandId } = event;
      if (event.type === "execution.closed") return close(table, commandId);
      if (!endsCommand(event)) return table;
      const released = release(table, commandId);
      return event.type === "execution.exited" ? released : close(released, commandId);
    }
  }
}

/** The session goes on without the command. */
function release(table: SessionTable, commandId: CommandId): SessionTable {
  const queued = table.commands.get(commandId)?.queued === true;
  const released = changeOf(table, commandId, (view) => {
    if (view.current === commandId) return rested(view);
    return queued ? { ...view, queued: view.queued - 1 } : view;
  });
  return queued ? changeCommand(released, commandId, { queued: false }) : released;
}

/** Nothing of the command is left. */
function close(table: SessionTable, commandId: CommandId): SessionTable {
  const closed = changeOf(table, commandId, (view) => ({ ...view, open: view.open - 1 }));
  return { ...closed, commands: closed.commands.remove(commandId) };
}

/** The session without a current command. */
function rested({ current: _, hotUntil: __, building: ___, ...view }: SessionView): SessionView {
  const status = view.status === "closed" ? "closed" : "idle";
  return { ...view, status, running: false };
}

function warmed(view: SessionView, { inline }: OutputAppended, at: number): SessionView {
  // Beyond the first bytes the text is not in the events: a build is taken to go on.
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

function changeOf(
  table: SessionTable,
  commandId: CommandId,
  news: (view: SessionView) => SessionView,
): SessionTable {
  return change(table, table.commands.get(commandId)?.sessionId ?? "", news);
}

function changeCommand(
  table: SessionTable,
  commandId: CommandId,
  news: Partial<SessionCommand>,
): SessionTable {
  const command = table.commands.get(commandId);
  if (command === undefined) return table;
  return { ...table, commands: table.commands.set(commandId, { ...command, ...news }) };
}

function viewOf(table: SessionTable, commandId: CommandId): SessionView | undefined {
  return table.byId.get(table.commands.get(commandId)?.sessionId ?? "");
}

function forget(table: SessionTable, keepClosed: number): SessionTable {
  const oldest = table.closed.first();
  if (table.closed.size <= keepClosed || oldest === undefined) return table;
  return { ...table, byId: table.byId.remove(oldest), closed: table.closed.remove(oldest) };
}
