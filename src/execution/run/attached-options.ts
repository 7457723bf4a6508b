import type { Watchdog } from "../../platform/process/watchdog/watchdog.ts";
import type { OrphansOptions } from "../tree/orphans.ts";

/** What an executor needs whose commands end with this host. */
export interface AttachedOptions extends OrphansOptions {
  /** Names this runtime in the mark of each command's processes. */
  readonly runtimeId: string;
  /** The marks of a runtime that this one runs in. */
  readonly outerMark?: string;
  /** What becomes of the processes that a command leaves behind; default `keep`. */
  readonly background?: "keep" | "end";
  /** Ends what is left when this process dies. */
  readonly watchdog?: Watchdog;
}

/** The mark of the processes of a command or of a shell, after those of an outer runtime. */
export function markOf({ runtimeId, outerMark }: AttachedOptions, id: string): string {
  return outerMark === undefined ? `${runtimeId}/${id}` : `${outerMark} ${runtimeId}/${id}`;
}
