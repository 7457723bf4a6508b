import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import process from "node:process";
import * as v from "valibot";
import { defined } from "../../value/defined.ts";
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
  return {
    ...identify(process.pid, procTable()),
    ...defined({
      bootId: bootId(),
      machine: attempt(hostname),
      pidNamespace: attempt(() => readlinkSync("/proc/self/ns/pid")),
    }),
    runtimeId,
    dead,
  };
}

const name = v.pipe(v.string(), v.nonEmpty());

const schema = v.object({
  // A pid of 0 or less would mean a group, or every process.
  pid: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  startTime: v.exactOptional(v.string()),
  bootId: v.exactOptional(v.string()),
  machine: v.exactOptional(v.string()),
  pidNamespace: v.exactOptional(v.string()),
  runtimeId: name,
  dead: v.fallback(v.array(name), []),
  released: v.exactOptional(v.literal(true)),
});

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
  return attempt(() => v.parse(schema, JSON.parse(text)));
}
