import * as v from "valibot";
import type { SessionId } from "../../event/command.ts";
import { shown } from "../../event/shown.ts";
import type { SessionTable } from "../../session/sessions.ts";
import type { TaskTable } from "../../task/tasks.ts";
import type { SessionBeginning, SessionWish } from "./guest/run-protocol.ts";
import { isSessionName } from "./session-name.ts";

/** A session that somebody named, as far as its state directory tells. */
export interface KnownSession {
  readonly name: SessionId;
  /** `gone`: it was closed, or its host ended. */
  readonly status: "idle" | "busy" | "gone";
  /** Where it is, or was. */
  readonly cwd: string;
  /** When it was last asked for a command, in milliseconds since the epoch. */
  readonly usedAt: number;
  /** Its newest command. */
  readonly command?: string;
}

/** A session to run a command in. */
export interface ChosenSession {
  readonly name: SessionId;
  readonly began: SessionBeginning;
  readonly cwd: string;
  /** Where the earlier session of the name was, or is. */
  readonly earlierCwd?: string;
}

/** The named sessions that two projections tell of, the one that was used last first. */
export function knownSessions(sessions: SessionTable, tasks: TaskTable): readonly KnownSession[] {
  return [...sessions.byId.values()].filter(({ id }) => isSessionName(id)).map((view) => {
    const task = view.last === undefined ? undefined : tasks.byId.get(view.last);
    return {
      name: view.id,
      status: view.status === "closed" ? "gone" as const : view.status,
      cwd: view.cwd,
      usedAt: Math.max(view.openedAt, task?.requestedAt ?? 0),
      ...(task !== undefined && { command: task.command }),
    };
  }).sort((one, other) => other.usedAt - one.usedAt);
}

/**
 * Find the session that somebody wishes for.
 *
 * @throws {Error} When there is none of that name to go on with; the message tells those that there are.
 */
export function chooseSession(
  known: readonly KnownSession[],
  { name, gone, cwd }: SessionWish,
): ChosenSession {
  const found = name === undefined ? known[0] : known.find((session) => session.name === name);
  if (found === undefined) {
    if (name !== undefined && gone === "anew") return { name, began: "opened", cwd };
    throw new Error(
      name === undefined
        ? "Cannot continue: there is no session yet; begin one with --session NAME"
        : `Cannot resume "${shown(name)}": there is no such session; ${named(known)}`,
    );
  }
  const { name: chosen, status, cwd: earlierCwd } = found;
  if (status !== "gone") return { name: chosen, began: "joined", cwd: earlierCwd };
  return gone === "resume"
    ? { name: chosen, began: "resumed", cwd: earlierCwd, earlierCwd }
    : { name: chosen, began: "anew", cwd, earlierCwd };
}

const MOST_NAMED = 20;

function named(known: readonly KnownSession[]): string {
  if (known.length === 0) return "there is none yet";
  const names = known.slice(0, MOST_NAMED).map(({ name }) => name).join(", ");
  return known.length > MOST_NAMED ? `those used last are ${names}` : `there are ${names}`;
}

/** Whether an owner of this version can have said so. */
export function areKnownSessions(value: unknown): value is readonly KnownSession[] {
  return v.is(KNOWN, value);
}

const KNOWN = v.array(v.object({
  name: v.string(),
  status: v.picklist(["idle", "busy", "gone"]),
  cwd: v.string(),
  usedAt: v.number(),
  command: v.exactOptional(v.string()),
}));
