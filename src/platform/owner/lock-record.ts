import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import process from "node:process";
import type { ProcessIdentity } from "../process/processes.ts";
import { identify, procTable } from "../process/table/proc-table.ts";
import { bootId } from "./boot.ts";
import { attempt, codeOf } from "../failure.ts";

/** What a lock records of the owner of a directory; what the system does not give is absent. */
export interface LockRecord extends ProcessIdentity {
  /** The run of the machine since it was started. */
  readonly bootId?: string;
  /** The name of the machine. */
  readonly machine?: string;
  /** In which pids are numbered, as by a container. */
  readonly pidNamespace?: string;
  /** Part of the mark that its processes carry. */
  readonly runtimeId: string;
  /** Runtimes that owned the directory before and died: processes of theirs may be left. */
  readonly dead: readonly string[];
  /** It owns the directory no longer; absent: it does, or died. */
  readonly released?: true;
}

/** The record of a runtime of this process. */
export function ownRecord(runtimeId: string, dead: readonly string[]): LockRecord {
  const boot = bootId();
  const machine = attempt(hostname);
  const pidNamespace = attempt(() => readlinkSync("/proc/self/ns/pid"));
  return {
    ...identify(process.pid, procTable()),
    ...(boot !== undefined && { bootId: boot }),
    ...(machine !== undefined && { machine }),
    ...(pidNamespace !== undefined && { pidNamespace }),
    runtimeId,
    dead,
  };
}

/**
 * Read a lock; `undefined` when there is none, or when it holds no record, as after a loss of power.
 *
 * @throws {Error} When it cannot be read: its owner may live.
 */
export function readLockRecord(path: string): LockRecord | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    const code = codeOf(cause);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new Error(`Cannot read "${path}": ${code}`, { cause });
  }
  const value: unknown = attempt(() => JSON.parse(text));
  if (typeof value !== "object" || value === null) return undefined;
  const { pid, startTime, bootId, machine, pidNamespace, runtimeId, dead, released }: Partial<
    Record<keyof LockRecord, unknown>
  > = value;
  // A pid of 0 or less would mean a group, or every process.
  if (typeof pid !== "number" || !Number.isSafeInteger(pid) || pid < 1) return undefined;
  if (typeof runtimeId !== "string" || runtimeId === "") return undefined;
  return {
    pid,
    ...(typeof startTime === "string" && { startTime }),
    ...(typeof bootId === "string" && { bootId }),
    ...(typeof machine === "string" && { machine }),
    ...(typeof pidNamespace === "string" && { pidNamespace }),
    runtimeId,
    dead: Array.isArray(dead) ? dead.filter((id) => typeof id === "string" && id !== "") : [],
    ...(released === true && { released }),
  };
}
