import { readLog } from "../../event/log/read-log.ts";
import { pathKind } from "../../platform/file/segment-files.ts";
import { projections } from "../state/projections.ts";
import { type KnownSession, knownSessions } from "./known-sessions.ts";
import { control } from "./protocol.ts";
import { withOwner } from "./with-owner.ts";

/**
 * The named sessions of a state directory, from its owner if one lives, the one that was used last
 * first; none where there is no directory.
 */
export async function sessionsAt(directory: string): Promise<readonly KnownSession[]> {
  return await withOwner(directory, (owner) => owner.request(control.sessions, {}), {
    otherwise: () => recordedSessions(directory),
  });
}

async function recordedSessions(directory: string): Promise<readonly KnownSession[]> {
  if (await pathKind(directory) === "missing") return [];
  let state = projections.initial;
  for await (const recorded of readLog(directory)) state = projections.evolve(state, recorded);
  return knownSessions(state.sessions, state.tasks)
    .map((known) => ({ ...known, status: "gone" }));
}
