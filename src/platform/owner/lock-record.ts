import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ProcessIdentity } from "../process/processes.ts";
import type { Place } from "./place.ts";

/** The file in a lock that says whose it is. */
export const RECORD = "owner.json";

/** What a lock says of the owner of a directory, and where that was started. */
export interface LockRecord extends ProcessIdentity, Place {
  /** Part of the mark that its processes carry. */
  readonly runtimeId: string;
  /** Where it listens. */
  readonly socket?: string;
  /** Runtimes that owned the directory before, died, and may have left processes. */
  readonly dead: readonly string[];
  /** It owns the directory no longer. */
  readonly released: boolean;
}

/**
 * Read what a lock says; `undefined` when it is gone, or says nothing that an owner would.
 *
 * @throws {Error} When it cannot be read, so that its owner may live.
 */
export function readLockRecord(lock: string): LockRecord | undefined {
  const text = textOf(lock);
  let value: unknown;
  try {
    value = JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { pid, startTime, bootId, machine, pidNamespace, runtimeId, socket, dead, released }:
    Partial<Record<keyof LockRecord, unknown>> = value;
  // A process id of 0 or less would mean a group, or everybody.
  if (typeof pid !== "number" || !Number.isSafeInteger(pid) || pid < 1) return undefined;
  if (typeof runtimeId !== "string" || runtimeId === "") return undefined;
  return {
    pid,
    ...(typeof startTime === "string" && { startTime }),
    ...(typeof bootId === "string" && { bootId }),
    ...(typeof machine === "string" && { machine }),
    ...(typeof pidNamespace === "string" && { pidNamespace }),
    runtimeId,
    ...(typeof socket === "string" && { socket }),
    dead: Array.isArray(dead) ? dead.filter((id) => typeof id === "string" && id !== "") : [],
    released: released === true,
  };
}

function textOf(lock: string): string | undefined {
  try {
    // Before locks were directories they were files.
    const isFile = statSync(lock).isFile();
    return readFileSync(isFile ? lock : join(lock, RECORD), "utf8");
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code === "ENOENT") return undefined;
    throw new Error(`Cannot read "${lock}", by which a directory is owned: ${code}`, { cause });
  }
}
