import type { Executor } from "../execution/executor.ts";
import { detachedExecutor } from "../execution/detached/detached-executor.ts";
import { executorsByKind } from "../execution/executors-by-kind.ts";
import { processExecutor } from "../execution/process/process-executor.ts";
import { shellExecutor } from "../execution/shell/shell-executor.ts";
import { terminalExecutor, type TerminalParts } from "../execution/terminal/terminal-executor.ts";
import { NO_MARKS } from "../execution/tree/marks.ts";
import { systemClock } from "../platform/clock.ts";
import { environment, fromCurrentDirectory, warn } from "../platform/environment/environment.ts";
import { randomIds } from "../platform/ids.ts";
import { loadNativeCalls, type Native } from "../platform/native/load-native-calls.ts";
import { pidNamespace, type Sandbox, sandboxed } from "../platform/process/containment.ts";
import type { StartDetached } from "../platform/process/detached/detached-processes.ts";
import { hostProcesses } from "../platform/process/host-processes.ts";
import { MARK } from "../platform/process/mark.ts";
import { whyOrphansSurvive } from "../platform/process/missing-capabilities.ts";
import type { Processes } from "../platform/process/processes.ts";
import { watchdog } from "../platform/process/watchdog/watchdog.ts";
import { hostShells } from "../platform/shell/host-shells.ts";
import { hostTerminals } from "../platform/terminal/host-terminals.ts";
import { loadPty, noTerminals } from "../platform/terminal/load-pty.ts";
import { loadEmulator } from "../screen/emulator.ts";
import {
  checkOptions,
  type CreateExecutorOptions,
  type RuntimeOptions,
} from "./options/options.ts";
import { sandboxOf } from "./options/sandbox.ts";

/**
 * Make the executor that a runtime has, for stages that are composed by hand.
 *
 * It runs each command in a process of its own or in the shell of its session; it cannot detach. Call
 * `close()` when it is no longer needed: that ends what still runs.
 *
 * @throws {TypeError} When an option cannot be used.
 * @throws {Error} When this machine lacks something that `allowMissing` does not name.
 */
export async function createExecutor(options: CreateExecutorOptions = {}): Promise<Executor> {
  checkOptions(options);
  checkCapabilities(options);
  const runtimeId = (options.ids ?? randomIds).next("runtime");
  const native = await loadNativeCalls();
  const { processes = hostProcesses(runtimeId, { native }) } = options;
  const sandbox = options.sandbox &&
    sandboxOf(options.sandbox, options, { cwd: fromCurrentDirectory(".") });
  return hostExecutor(options, { runtimeId, native, processes, sandbox });
}

/**
 * Refuse to run without what is needed to end every process of a command.
 *
 * A pid namespace holds every process of a command, and another executor has processes of its own.
 */
export function checkCapabilities(
  { allowMissing = [], containment, sandbox, processes, executor }: Pick<
    RuntimeOptions,
    "allowMissing" | "containment" | "sandbox" | "processes" | "executor"
  >,
): void {
  const contained = containment === "pid-namespace" || sandbox !== undefined;
  if (contained || processes !== undefined) return;
  if (executor !== undefined && typeof executor !== "function") return;
  const why = allowMissing.includes("orphans") ? undefined : whyOrphansSurvive();
  if (why === undefined) return;
  throw new Error(
    "Cannot create a runtime: a process that leaves its group, as by setsid, outlives its command " +
      `and the runtime, as ${why}, or allow that with allowMissing: ["orphans"]`,
  );
}

/** What the executors of this machine share with their runtime. */
export interface HostExecutorParts {
  readonly runtimeId: string;
  readonly processes: Processes;
  readonly native: Native;
  readonly graceCutoff?: AbortSignal;
  /** A directory that goes with the host, however it ends. */
  readonly temporary?: string | undefined;
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
  { runtimeId, processes, native, graceCutoff, temporary, sandbox, detached }: HostExecutorParts,
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
      { runtimeId, graceSeconds: Math.ceil(graceMs / 1_000), temporary, marks: NO_MARKS },
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
