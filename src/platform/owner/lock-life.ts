import process from "node:process";
import { bootId } from "./boot.ts";
import type { LockRecord } from "./lock-record.ts";
import { procTable } from "../process/proc-table.ts";

/** Whether the owner that a lock tells of may still be there. */
export function mayLive(record: LockRecord): boolean {
  if (record.released) return false;
  const boot = bootId();
  if (boot !== undefined && record.bootId !== undefined && boot !== record.bootId) return false;
  const table = procTable();
  if (table.info(process.pid) === undefined) return answers(record.pid);
  const info = table.info(record.pid);
  if (info === undefined || info.state === "Z" || info.state === "X") return false;
  return record.startTime === undefined || record.startTime === info.startTime;
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
