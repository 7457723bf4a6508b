import type { Clock } from "../../platform/clock.ts";
import type { Processes } from "../../platform/process/processes.ts";
import type { Watchdog } from "../../platform/process/watchdog/watchdog.ts";
import type { Haste } from "../tree/haste.ts";

/** What an executor needs whose commands end with this host. */
export interface AttachedOptions {
  readonly processes: Processes;
  readonly clock: Clock;
  /** Names this runtime in the mark of each command's processes. */
  readonly runtimeId: string;
  /** The marks of a runtime that this one runs in. */
  readonly outerMark?: string;
  /** Between the polite signal and KILL, in milliseconds; default 5 000. */
  readonly graceMs?: number;
  /** Ends the grace before its time. */
  readonly haste?: Haste;
  /** What becomes of the processes that a command leaves behind: they go on, or end with it; default `keep`. */
  readonly background?: "keep" | "end";
  /** Ends what is left when this process dies. */
  readonly watchdog?: Watchdog;
}
