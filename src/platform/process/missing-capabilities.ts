import process from "node:process";
import { hasRealPipes } from "../pipe/pipes.ts";
import { isOfOtherProcesses } from "./table/proc-table.ts";

/** What a runtime promises on every system that lets it. */
export const CAPABILITIES = ["orphans"] as const;

/** `orphans`: a process that leaves its group, as by `setsid`, ends with its command or with the runtime. */
export type Capability = (typeof CAPABILITIES)[number];

/** A promise that cannot be kept by this process as it is. */
export interface MissingCapability {
  readonly name: Capability;
  /** What happens without it, and what gives it back, in words. */
  readonly reason: string;
}

/** The promises that cannot be kept by this process as it is. */
export function missingCapabilities(): readonly MissingCapability[] {
  const why = whyProcessesAreHidden();
  if (why === undefined) return [];
  const effect =
    "a process that leaves its group, as by setsid, outlives its command and the runtime";
  return [{ name: "orphans", reason: `${effect}, as ${why}` }];
}

/** Elsewhere than on Linux, `ps` shows which processes belong to a command. */
function whyProcessesAreHidden(): string | undefined {
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
