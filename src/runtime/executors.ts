import type { Executor } from "../execution/executor.ts";
import { detachedExecutor } from "../execution/detached/detached-executor.ts";
import { executorsByKind } from "../execution/executors-by-kind.ts";
import { processExecutor } from "../execution/process/process-executor.ts";
import { NO_MARKS } from "../execution/tree/marks.ts";
import { MARK } from "../platform/process/mark.ts";
import { terminalExecutor, type TerminalParts } from "../execution/terminal/terminal-executor.ts";
import { shellExecutor } from "../execution/shell/shell-executor.ts";
import { systemClock } from "../platform/clock.ts";
import type { Native } from "../platform/native/load-native-calls.ts";
import { pidNamespace, type Sandbox, sandboxed } from "../platform/process/containment.ts";
import type { StartDetached } from "../platform/process/detached/detached-processes.ts";
import { environment, warn } from "../platform/environment/environment.ts";
import type { Processes } from "../platform/process/processes.ts";
import { hostTerminals } from "../platform/terminal/host-terminals.ts";
import { loadPty, noTerminals } from "../platform/terminal/load-pty.ts";
import { loadEmulator } from "../screen/emulator.ts";
import { hostShells } from "../platform/shell/host-shells.ts";
import { watchdog } from "../platform/process/watchdog/watchdog.ts";
import type { CreateExecutorOptions } from "./options/options.ts";

/** What the executors of this machine share with their runtime. */
export interface HostExecutorParts {
  readonly runtimeId: string;
  readonly processes: Processes;
  readonly native: Native;
  /** Ends the grace before its time. */
  readonly graceCutoff?: AbortSignal;
  readonly sandbox?: Sandbox | undefined;
  /** Absent: no command can outlive the host. */
  readonly detached?: {
    readonly startDetached: StartDetached;
    readonly intend: () => Promise<void>;
  } | undefined;
}

/** Run commands as processes of this machine; what a container holds cannot be detached from the host. */
export async function hostExecutor(
  { clock = systemClock, graceMs = 5_000, containment, background = "keep" }: CreateExecutorOptions,
  { runtimeId, processes, native, graceCutoff, sandbox, detached }: HostExecutorParts,
): Promise<Executor> {
  const base = environment();
  const shells = hostShells(runtimeId, native);
  const { PATH = "" } = base;
  const inNamespace = containment === "pid-namespace" ? pidNamespace(PATH) : undefined;
  const contain = sandbox === undefined ? inNamespace : await sandboxed(PATH, sandbox);
  const { [MARK]: outerMark } = base;
  const shared = {
    processes,
    clock,
    runtimeId,
    graceMs,
    graceCutoff,
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
  const noTerminal = contain === undefined
    ? noTerminals(base)
    : "a pid namespace holds no terminal";
  const load = noTerminal === undefined ? { load: loadTerminals } : undefined;
  // A container ends with its command, and a shell is to outlive many.
  const shell = contain === undefined ? shellExecutor({ ...shared, ...load, shells }) : undefined;
  return executorsByKind({
    kinds: {
      process: each,
      ...(shell && { shell }),
      ...(load && { terminal: terminalExecutor({ ...shared, ...load }) }),
      ...(shell && load && { terminalShell: shell }),
    },
    absent: {
      ...(noTerminal !== undefined && { terminal: noTerminal, terminalShell: noTerminal }),
      ...(contain !== undefined && { shell: "a pid namespace holds each command by itself" }),
    },
    detached: detached && detachedExecutor({ ...detached, processes, clock, graceMs, graceCutoff }),
    // What a container holds ends with the host; those of earlier hosts are followed all the same.
    detaches: detached !== undefined && contain === undefined,
    sandbox,
  });
}

async function loadTerminals(): Promise<TerminalParts> {
  return {
    terminals: hostTerminals(await loadPty()),
    // Without it there are no screens, and all else works.
    createEmulator: await loadEmulator().catch(() => undefined),
  };
}
