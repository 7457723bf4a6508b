import process from "node:process";
import { procTable } from "../../../src/platform/process/table/proc-table.ts";
import { living, uniqueSeconds } from "../world.ts";
import type { Way } from "./ways.ts";

const table = procTable();

/** A process that stays long enough, and that its arguments tell from all others. */
export const escapee = (): string => `sleep ${uniqueSeconds()}`;

/** Whether the process that would stay has got to where it stays. */
export function settled(way: Way, what: string): boolean {
  const found = living(what);
  if (way.name.startsWith("fork storm")) return found.length >= 200;
  // The host's own command line ends with it, too.
  return found.some(({ pid }) => /^(\S*\/)?sleep /.test(table.commandLine(pid))) &&
    (!way.outOfReach || found.every(({ parent }) => parent === 1));
}

/** End whatever a test left, by pid. */
export function sweep(what: string): void {
  for (const { pid } of living(what)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended meanwhile.
    }
  }
}
