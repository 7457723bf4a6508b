import type { Origin, SessionId } from "../event/command.ts";
import type { SessionTable, SessionView } from "./sessions.ts";

/**
 * Find the session for a command that names none: the last one that its owner used in this directory,
 * or else the last one of any owner there.
 *
 * Only idle sessions that were opened for an owner are found: the others belong to callers that know
 * their names. The newest one is the likeliest to have a warm shell.
 */
export function reusable(
  { byId }: SessionTable,
  { owner, cwd, origin }: {
    readonly owner: string;
    /** Where it must stand, absolute. */
    readonly cwd: string;
    /** Environments differ by it. */
    readonly origin: Origin;
  },
): SessionId | undefined {
  const fits = (view: SessionView) =>
    view.owner !== undefined && view.status === "idle" && view.queued === 0 &&
    view.cwd === cwd && view.origin === origin;
  const own = byId.findLast((view) => view.owner === owner && fits(view));
  return (own ?? byId.findLast(fits))?.id;
}
