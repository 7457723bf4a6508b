import { readFileSync } from "node:fs";
import type { ProcessIdentity } from "../process/processes.ts";

/** What a lock file says of the owner of a directory. */
export interface LockRecord extends ProcessIdentity {
  /** The run of the machine in which the owner was started. */
  readonly bootId?: string;
  /** Part of the mark that its processes carry. */
  readonly runtimeId: string;
  /** Where it listens. */
  readonly socket?: string;
  /** Runtimes that owned the directory before, died, and may have left processes. */
  readonly dead: readonly string[];
  /** It owns the directory no longer. */
  readonly released: boolean;
}

/** Read a lock file; `undefined` when it is gone, torn or none. */
export function readLockRecord(path: string): LockRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { pid, startTime, bootId, runtimeId, socket, dead, released }: Partial<
    Record<keyof LockRecord, unknown>
  > = value;
  // A process id of 0 or less would mean a group, or everybody.
  if (typeof pid !== "number" || !Number.isSafeInteger(pid) || pid < 1) return undefined;
  if (typeof runtimeId !== "string" || runtimeId === "") return undefined;
  return {
    pid,
    ...(typeof startTime === "string" && { startTime }),
    ...(typeof bootId === "string" && { bootId }),
    runtimeId,
    ...(typeof socket === "string" && { socket }),
    dead: Array.isArray(dead) ? dead.filter((id) => typeof id === "string" && id !== "") : [],
    released: released === true,
  };
}
