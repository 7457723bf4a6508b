import { statSync } from "node:fs";
import { uptime } from "node:os";
import process from "node:process";
import { bootId } from "./boot.ts";
import type { LockRecord } from "./lock-record.ts";
import { procTable } from "../process/proc-table.ts";

/**
 * Whether the owner that a lock file tells of may still be there.
 *
 * @param record What the file says; absent when it cannot be read.
 */
export function mayLive(path: string, record: LockRecord | undefined): boolean {
  if (record === undefined) return writtenSinceBoot(path);
  if (record.released) return false;
  const boot = bootId();
  if (boot !== undefined && record.bootId !== undefined && boot !== record.bootId) return false;
  const table = procTable();
  if (table.info(process.pid) === undefined) return answers(record.pid);
  const info = table.info(record.pid);
  if (info === undefined || info.state === "Z" || info.state === "X") return false;
  return record.startTime === undefined || record.startTime === info.startTime;
}

/** Clocks are set now and then; nobody takes a minute to write a lock. */
const CLOCK_MARGIN_MS = 60_000;

/** A lock that cannot be read was left by a loss of power, if it is older than this run of the machine. */
function writtenSinceBoot(path: string): boolean {
  try {
    return statSync(path).mtimeMs > Date.now() - uptime() * 1000 - CLOCK_MARGIN_MS;
  } catch {
    return false;
  }
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
