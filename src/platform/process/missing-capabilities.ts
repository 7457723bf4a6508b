import process from "node:process";
import { hasRealPipes } from "../pipe/pipes.ts";
import { isOfOtherProcesses } from "./table/proc-table.ts";

/** What a runtime promises on every system that lets it. */
export const CAPABILITIES = ["orphans"] as const;

/** `orphans`: a process that leaves its group, as by `setsid`, ends with its command or with the runtime. */
export type Capability = (typeof CAPABILITIES)[number];

/**
 * Why a process that leaves its group outlives its command and the runtime here, and what prevents that;
 * `undefined`: none does. Elsewhere than on Linux, `ps` shows which processes belong to a command.
 */
export function whyOrphansSurvive(): string | undefined {
  if (process.platform !== "linux") return undefined;
  if (!hasRealPipes()) {
    return "Deno" in globalThis
      ? "/proc cannot be read; Deno reads it with --allow-all"
      : "/proc cannot be read; mount it";
  }
  return isOfOtherProcesses("/proc")
    ? "/proc is that of another pid namespace; mount the one of this one"
    : undefined;
}
