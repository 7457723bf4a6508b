import type { Origin, SessionId } from "../event/command.ts";
import type { SessionTable, SessionView } from "./sessions.ts";

/** What a session must be like to be used again. */
export interface ReuseWish {
  /** Who wants it. */
  readonly owner: string;
  /** Where it must stand, absolute. */
  readonly cwd: string;
  /** Whose commands it takes: their environments differ. */
  readonly origin: Origin;
}

/**
 * Find the session that a command without one of its own is to use: one that its owner has used
 * last and that stands in its directory, or else anybody's that stands there.
 *
 * Only sessions that were opened for an owner are found, as the others are somebody's by name, and
 * only those that are idle. Of several, the newest: it is the likeliest to have a warm shell.
 */
export function reusable(
  { byId }: SessionTable,
  { owner, cwd, origin }: ReuseWish,
): SessionId | undefined {
  let free: SessionView | undefined;
  for (const view of byId.reverse().values()) {
    const fits = view.owner !== undefined && view.status === "idle" && view.queued === 0 &&
      view.cwd === cwd && view.origin === origin;
    if (!fits) continue;
    if (view.owner === owner) return view.id;
    free ??= view;
  }
  return free?.id;
}
