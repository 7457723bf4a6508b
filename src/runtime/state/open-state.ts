import type { EventLog } from "../../event/log/log.ts";
import { type FileLogOptions, openFileLog } from "../../event/log/file-log.ts";
import { cannotWrite } from "../../event/log/log-error.ts";
import { describeDamage, type LogDamage } from "../../event/log/read-log.ts";
import { messageOf } from "../../platform/failure.ts";
import { warn } from "../../platform/environment/environment.ts";
import { type OwnerLock, takeOwnership } from "../../platform/owner/owner-lock.ts";
import { type Projected, projections } from "./projections.ts";

/** The directory that a runtime owns, with what it held before. */
export interface State {
  readonly directory: string;
  readonly lock: OwnerLock;
  readonly log: EventLog;
  readonly earlier: Projected;
}

/** Own a directory and read what happened in it. */
export async function openState(
  { directory, runtimeId, clock, onFailure }:
    & Pick<FileLogOptions, "directory" | "clock" | "onFailure">
    & {
      readonly runtimeId: string;
    },
): Promise<State> {
  const lock = await own(directory, runtimeId);
  try {
    let state = projections.initial;
    const damages: LogDamage[] = [];
    const log = await openFileLog({
      clock,
      directory,
      onFailure,
      onDamage: (damage) => damages.push(damage),
      onEarlier: (recorded) => {
        state = projections.evolve(state, recorded);
      },
    });
    warnOf(damages);
    return { directory, lock, log, earlier: state };
  } catch (cause) {
    lock.release();
    throw cause;
  }
}

/** The first one says where to look; many have one cause. */
function warnOf([first, ...others]: readonly LogDamage[]): void {
  if (first === undefined) return;
  warn(describeDamage(first) + (others.length > 0 ? `; and ${others.length} more` : ""));
}

async function own(directory: string, runtimeId: string): Promise<OwnerLock> {
  try {
    return await takeOwnership(directory, runtimeId);
  } catch (cause) {
    // What the system says does not name what was wanted.
    throw messageOf(cause).startsWith("Cannot ") ? cause : cannotWrite(directory, cause);
  }
}
