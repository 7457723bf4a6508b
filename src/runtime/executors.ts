import type { Executor } from "../execution/executor.ts";
import { detachedExecutor } from "../execution/detached/detached.ts";
import type { Haste } from "../execution/tree/haste.ts";
import { detachingExecutor } from "../execution/detached/detaching.ts";
import { processExecutor } from "../execution/process/process.ts";
import { NO_MARKS } from "../execution/tree/marks.ts";
import { MARK } from "../platform/process/mark.ts";
import { routingExecutor } from "../execution/routing.ts";
import { shellExecutor } from "../execution/shell/shell.ts";
import type { Clock } from "../platform/clock.ts";
import { pidNamespace } from "../platform/process/containment.ts";
import type { DetachedProcesses } from "../platform/process/detached/detached-processes.ts";
import { warn } from "../platform/environment.ts";
import type { Processes } from "../platform/process/processes.ts";
import type { Shells } from "../platform/shell/shells.ts";
import { watchdog } from "../platform/process/watchdog/watchdog.ts";

/** What the executors of this machine need. */
export interface HostExecutorOptions {
  readonly runtimeId: string;
  readonly processes: Processes;
  readonly clock: Clock;
  /** The host's own variables. */
  readonly base: Readonly<Record<string, string>>;
  /** Between the polite signal and KILL, in milliseconds. */
  readonly graceMs: number;
  /** Ends the grace before its time. */
  readonly haste: Haste;
  readonly containment: "marks" | "pid-namespace";
  readonly background: "keep" | "end";
  /** Where the shells of sessions live. */
  readonly shells: Shells;
  /** Absent: no command can outlive the host. */
  readonly detached?: {
    readonly detached: DetachedProcesses;
    readonly intend: () => Promise<void>;
  };
}

/** Run commands as processes of this machine; what a container holds cannot be detached from the host. */
export function hostExecutor(
  { runtimeId, processes, clock, base, graceMs, haste, containment, background, shells, detached }:
    HostExecutorOptions,
): Executor {
  const contain = containment === "pid-namespace" ? pidNamespace(base["PATH"] ?? "") : undefined;
  const { [MARK]: outerMark } = base;
  processes.warm();
  const shared = {
    processes,
    clock,
    runtimeId,
    graceMs,
    haste,
    background,
    watchdog: watchdog(
      // Whole seconds, and no less than what was asked for.
      { runtimeId, graceSeconds: Math.ceil(graceMs / 1_000), marks: NO_MARKS },
      (cause) => warn(`Cannot start the watchdog: ${cause.message}`),
    ),
    // Empty in a detached command, which is of no runtime.
    ...(outerMark && { outerMark }),
  };
  const each = processExecutor({ ...shared, ...(contain !== undefined && { contain }) });
  // A container ends with its command, and a shell is to outlive many.
  const attached = contain === undefined
    ? routingExecutor({ process: each, shell: shellExecutor({ ...shared, shells }) })
    : each;
  if (detached === undefined) return attached;
  return detachingExecutor(
    attached,
    detachedExecutor({ ...detached, processes, clock, graceMs, haste }),
    { starts: contain === undefined },
  );
}
