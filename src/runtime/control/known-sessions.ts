import type { SessionId } from "../../event/command.ts";
import { shown } from "../../value/shown.ts";
import type { SessionTable } from "../../session/sessions.ts";
import type { TaskTable } from "../../task/tasks.ts";
import type { SessionBeginning, SessionRequest } from "./guest/run-request.ts";
import { isSessionName } from "./session-name.ts";

/** A session with a name, as its state directory has it. */
export interface KnownSession {
  readonly name: SessionId;
  /** `gone`: it was closed, or its host ended. */
  readonly status: "idle" | "busy" | "gone";
  /** Where it is, or was. */
  readonly cwd: string;
  /** When it was last asked for a command, in milliseconds since the epoch. */
  readonly usedAt: number;
  readonly command?: string;
}

/** The named sessions in two projections, the one that was used last first. */
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

/** Find the session that is asked for. */
export function chooseSession(
  known: readonly KnownSession[],
  { name, gone, cwd }: SessionRequest,
): {
  readonly name: SessionId;
  readonly began: SessionBeginning;
  readonly cwd: string;
  /** Where the earlier session of the name was, or is. */
  readonly earlierCwd?: string;
} {
  const found = name === undefined ? known[0] : known.find((session) => session.name === name);
  if (found === undefined) {
    if (name !== undefined && gone === "anew") return { name, began: "opened", cwd };
    throw new Error(
      name === undefined
        ? "Cannot continue: there is no session yet; begin one with --session NAME"
        : noSuchSession("resume", name, known),
    );
  }
  const { name: chosen, status, cwd: earlierCwd } = found;
  if (status !== "gone") return { name: chosen, began: "joined", cwd: earlierCwd };
  return gone === "resume"
    ? { name: chosen, began: "resumed", cwd: earlierCwd, earlierCwd }
    : { name: chosen, began: "anew", cwd, earlierCwd };
}

/** Why nothing can be done with a session: the message names those that exist. */
export function noSuchSession(
  what: string,
  name: string,
  known: readonly KnownSession[],
): string {
  return `Cannot ${what} "${shown(name)}": there is no such session; ${named(known)}`;
}

const MAX_NAMED = 20;

function named(known: readonly KnownSession[]): string {
  if (known.length === 0) return "there is none yet";
  const names = known.slice(0, MAX_NAMED).map(({ name }) => name).join(", ");
  return known.length > MAX_NAMED ? `those used last are ${names}` : `there are ${names}`;
}
