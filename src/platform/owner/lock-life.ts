import process from "node:process";
import { controlPathIn } from "../control/control-path.ts";
import { openLines } from "../control/line-conversation.ts";
import { procTable } from "../process/table/proc-table.ts";
import type { LockRecord } from "./lock-record.ts";
import { ownPlace } from "./place.ts";

/** What is known of the owner that a lock tells of. */
export interface Life {
  /** `untold`: it can neither be seen nor heard, so that it may live. */
  readonly state: "lives" | "gone" | "untold";
  /** Where it is, if a process id of it says nothing here. */
  readonly elsewhere?: string;
}

const GONE: Life = { state: "gone" };
/** Nothing that anybody could ask from here will ever tell of it. */
export const OTHER_MACHINE = "of another machine";

/** Find out whether the owner of a directory lives; a process id tells that only where it was given. */
export async function lifeOf(record: LockRecord, directory: string): Promise<Life> {
  if (record.released) return GONE;
  const here = ownPlace();
  if (differ(here.bootId, record.bootId)) {
    // Of a machine that was started again nothing is left; another one may share the directory.
    if (record.machine === here.machine) return GONE;
    return { state: "untold", elsewhere: OTHER_MACHINE };
  }
  if (differ(here.pidNamespace, record.pidNamespace)) {
    return { state: await heard(record, directory), elsewhere: "of another pid namespace" };
  }
  return isThere(record) ? { state: "lives" } : GONE;
}

function differ(here: string | undefined, there: string | undefined): boolean {
  return here !== undefined && there !== undefined && here !== there;
}

function isThere({ pid, startTime }: LockRecord): boolean {
  const table = procTable();
  if (table.info(process.pid) === undefined) return answers(pid);
  const info = table.info(pid);
  if (info === undefined || info.state === "Z" || info.state === "X") return false;
  return startTime === undefined || startTime === info.startTime;
}

/** Where no process table can be read. */
function answers(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return !(cause instanceof Error && "code" in cause && cause.code === "ESRCH");
  }
}

/**
 * What the socket of an owner tells that has the same kernel: the system takes connections for as
 * long as the process is there, also for one that is stopped, and refuses them afterwards. One that
 * has not said yet where it listens, or whose socket cannot be reached from here, tells nothing.
 */
async function heard({ socket }: LockRecord, directory: string): Promise<Life["state"]> {
  if (socket === undefined) return "untold";
  try {
    const lines = await openLines(controlPathIn(directory, socket));
    lines.close();
    return "lives";
  } catch (cause) {
    const refused = cause instanceof Error && "code" in cause && cause.code === "ECONNREFUSED";
    return refused ? "gone" : "untold";
  }
}
