import process from "node:process";
import { codeOf } from "../failure.ts";

/** Whether no process has a number, as far as the system says: one that may not be signalled is there. */
export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (cause) {
    return codeOf(cause) === "ESRCH";
  }
}
