import { OrderedMap, OrderedSet } from "immutable";
import type { CommandId, Origin, SessionId, ShellState } from "../event/command.ts";
import { endsCommand, type Recorded, type RuntimeEvent } from "../event/event.ts";
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
      // Commands that were sent to the name while an earlier session had it wait for this one.
      const { queued = 0, open = 0 } = table.byId.get(id) ?? {};
      const view: SessionView = {
        id,
        cwd,
        status: "idle",
        running: false,
        queued,
        open,
        resets: 0,
        openedAt: at,
        ...(insteadOf !== undefined && { insteadOf }),
      };
      return { ...table, byId: table.byId.set(id, view), closed: table.closed.remove(id) };
    }
    case "session.moved":
      return change(table, event.sessionId, () => ({ cwd: event.cwd }));
    case "session.stateReported":
      return change(table, event.sessionId, () => ({ state: event.state }));
    case "session.reset": {
      const { reason, lost } = event;
      return change(table, event.sessionId, ({ resets }) => ({
        resets: resets + 1,
        lastReset: { reason, lost },
      }));
    }
    case "session.closed": {
      const { sessionId, reason } = event;
      const news = { status: "closed", closedAt: at, reason } as const;
      const { byId } = change(table, sessionId, () => news);
      return forget({ ...table, byId, closed: table.closed.add(sessionId) }, keepClosed);
    }
    case "command.requested": {
      const { commandId, sessionId, origin, owner } = event;
      return {
        ...change(table, sessionId, ({ queued, open }) => ({
          queued: queued + 1,
          open: open + 1,
          origin,
          ...(owner !== undefined && { owner }),
        })),
        commands: table.commands.set(commandId, { sessionId, queued: true, promoted: false }),
      };
    }
    default:
      return "commandId" in event ? evolveCommand(table, event, at) : table;
  }
}

/** What an event of a command that was requested changes. */
function evolveCommand(
  table: SessionTable,
  event: RuntimeEvent & { readonly commandId: CommandId },
  at: number,
): SessionTable {
  const { commandId } = event;
  const command = table.commands.get(commandId);
  if (command === undefined) return table;
  const { sessionId, queued, promoted } = command;
  const inSession = (how: (view: SessionView) => SessionView) => {
    const view = table.byId.get(sessionId);
    return view === undefined ? table : { ...table, byId: table.byId.set(sessionId, how(view)) };
  };
  const having = (news: Partial<SessionCommand>) =>
    table.commands.set(commandId, { ...command, ...news });
  /** The session goes on without the command. */
  const released = (view: SessionView): SessionView => {
    if (view.current === commandId) return rested(view);
    return queued ? { ...view, queued: view.queued - 1 } : view;
  };
  const closed = (view: SessionView): SessionView => ({ ...view, open: view.open - 1 });
  switch (event.type) {
    case "command.admitted": {
      const news = { status: "busy", current: commandId, last: commandId } as const;
      const admitted = inSession((view) => ({ ...view, ...news, queued: view.queued - 1 }));
      return { ...admitted, commands: having({ queued: false }) };
    }
    case "execution.started":
      return inSession((view) => {
        if (promoted) return released(view);
        return view.current === commandId ? { ...view, running: true } : view;
      });
    case "task.promoted": {
      const promoted = inSession((view) =>
        view.current === commandId && view.running ? rested(view) : view
      );
      return { ...promoted, commands: having({ promoted: true }) };
    }
    case "output.appended":
      return inSession((view) => warmed(view, event, at));
    case "execution.exited":
      return inSession(released);
    case "execution.closed":
      return { ...inSession(closed), commands: table.commands.remove(commandId) };
    default: {
      if (!endsCommand(event) && event.type !== "task.detached") return table;
      const left = inSession((view) => closed(released(view)));
      return { ...left, commands: table.commands.remove(commandId) };
    }
  }
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
  news: (view: SessionView) => Partial<SessionView>,
): SessionTable {
  const view = table.byId.get(id);
  return view === undefined
    ? table
    : { ...table, byId: table.byId.set(id, { ...view, ...news(view) }) };
}

function forget(table: SessionTable, keepClosed: number): SessionTable {
  const oldest = table.closed.first();
  if (table.closed.size <= keepClosed || oldest === undefined) return table;
  return { ...table, byId: table.byId.remove(oldest), closed: table.closed.remove(oldest) };
}
