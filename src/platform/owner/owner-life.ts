import process from "node:process";
import { controlPath } from "../control/control-path.ts";
import { connectLines } from "../control/line-channel.ts";
import { isGone } from "../process/is-gone.ts";
import { procTable } from "../process/table/proc-table.ts";
import { type LockRecord, ownRecord } from "./lock-record.ts";
import { codeOf } from "../failure.ts";

/** What is known of an owner; `unknown`: nothing here can see it, so that it may live. */
export interface OwnerLife {
  readonly state: "lives" | "gone" | "unknown";
  /** Where it runs, if its pid has no meaning here. */
  readonly place?: "on another machine" | "in another pid namespace";
}

/** Find out whether the owner of a directory lives. */
export async function lifeOf(owner: LockRecord, directory: string): Promise<OwnerLife> {
  if (owner.released) return { state: "gone" };
  const here = ownRecord(owner.runtimeId, []);
  if (differ(here.bootId, owner.bootId)) {
    // Nothing is left of a machine that was started again; another one may share the directory.
    if (here.machine === owner.machine) return { state: "gone" };
    return { state: "unknown", place: "on another machine" };
  }
  if (differ(here.pidNamespace, owner.pidNamespace)) {
    return { state: await stateBySocket(directory), place: "in another pid namespace" };
  }
  return { state: isRunning(owner) ? "lives" : "gone" };
}

function differ(here: string | undefined, there: string | undefined): boolean {
  return here !== undefined && there !== undefined && here !== there;
}

function isRunning({ pid, startTime }: LockRecord): boolean {
  const table = procTable();
  // Where no process table can be read.
  if (table.info(process.pid) === undefined) return !isGone(pid);
  const info = table.info(pid);
  if (info === undefined || info.state === "Z" || info.state === "X") return false;
  return startTime === undefined || startTime === info.startTime;
}

/** The kernel takes connections for as long as the process is there, and refuses them afterwards. */
async function stateBySocket(directory: string): Promise<OwnerLife["state"]> {
  try {
    (await connectLines(controlPath(directory))).close();
    return "lives";
  } catch (cause) {
    return codeOf(cause) === "ECONNREFUSED" ? "gone" : "unknown";
  }
}
