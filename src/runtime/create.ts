import { defaultEnvPolicy } from "../env/construct.ts";
import type { EnvPolicy } from "../env/policy.ts";
import type { Origin } from "../event/command.ts";
import { openFileLog } from "../event/file-log.ts";
import type { EventLog } from "../event/log.ts";
import { MemoryLog } from "../event/memory-log.ts";
import { processExecutor } from "../execution/process.ts";
import { MARK } from "../execution/process-tree.ts";
import { ByteLogs } from "../output/byte-logs.ts";
import { createPolicy } from "../permission/policy.ts";
import { pipeline } from "../pipeline.ts";
import { type Clock, systemClock } from "../platform/clock.ts";
import { pidNamespace } from "../platform/containment.ts";
import { checkDirectory } from "../platform/directories.ts";
import {
  currentDirectory,
  environment,
  homeDirectory,
  temporaryDirectory,
  warn,
} from "../platform/environment.ts";
import { findProgram } from "../platform/find-program.ts";
import { bashGrammar } from "../platform/grammar.ts";
import { hostProcesses } from "../platform/host-processes.ts";
import { randomIds } from "../platform/ids.ts";
import { absolutePath } from "../platform/paths.ts";
import { spillFiles } from "../platform/spill-files.ts";
import { watchdog } from "../platform/watchdog.ts";
import { bash } from "../shell/bash.ts";
import { Host } from "./host.ts";
import { checkOptions, type RuntimeOptions } from "./options.ts";
import type { Runtime } from "./runtime.ts";

/**
 * Make a runtime: what judges, runs, records and answers for commands.
 *
 * @throws {TypeError} When an option cannot be used.
 * @throws {LogError} When the log cannot be opened; nothing is overwritten.
 *
 * @example Run a command that a rule allows
 * ```ts
 * import { createRuntime } from "shellflow";
 *
 * await using runtime = await createRuntime({ rules: { allow: ["Bash(echo *)"] } });
 * const { outcome, output } = await runtime.run("echo hi");
 * if (outcome.type !== "exited" || output !== "hi\n") throw new Error("unexpected");
 * ```
 */
export async function createRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  checkOptions(options);
  const { clock = systemClock, ids = randomIds } = options;
  const id = ids.next("runtime");
  const cwd = absolutePath(currentDirectory(), options.cwd ?? ".");
  const problem = checkDirectory(cwd);
  if (problem !== undefined) throw new TypeError(`Cannot run in "${cwd}": ${problem}`);
  const base = environment();
  const file = findProgram(bash.program, base["PATH"] ?? "");
  if (file === undefined) throw new Error(`Cannot find "${bash.program}": it is not on the PATH`);
  const home = homeDirectory();
  const policy = createPolicy({
    rules: options.rules ?? {},
    mode: options.mode ?? "default",
    workspace: absolutePath(cwd, options.workspace ?? "."),
    home,
  });
  const directory = options.log === undefined ? undefined : absolutePath(cwd, options.log);
  const log = await openLog(clock, directory, options);
  const executor = options.executor ?? hostExecutor(id, clock, base, options);
  const logs = byteLogs(id, clock, directory, options);
  const way = pipeline({
    parse: { grammar: bashGrammar, home },
    permit: { policy, ids, ...(options.ask !== undefined && { asker: options.ask }) },
    construct: { policy: envPolicy(options.env), base, shell: { dialect: bash, file } },
    executor,
    buffer: { logs, clock },
  });
  // Loading takes longer than starting a shell; a failure is told by the first command that needs it.
  bashGrammar.warm().catch(() => {});
  return new Host({
    id,
    cwd,
    limits: { ...options, noTimeout: options.noTimeout ?? [] },
    clock,
    ids,
    log,
    logs,
    executor,
    checkDirectory,
    pipeline: way,
  });
}

async function openLog(
  clock: Clock,
  directory: string | undefined,
  { onLogFailure = (cause) => warn(cause.message) }: RuntimeOptions,
): Promise<EventLog> {
  if (directory === undefined) return new MemoryLog({ clock });
  return await openFileLog({ clock, directory, onFailure: onLogFailure });
}

function hostExecutor(
  runtimeId: string,
  clock: Clock,
  base: Readonly<Record<string, string>>,
  { graceMs, containment, processes = hostProcesses(runtimeId) }: RuntimeOptions,
): ReturnType<typeof processExecutor> {
  const contain = containment === "pid-namespace" ? pidNamespace(base["PATH"] ?? "") : undefined;
  const outerMark = base[MARK];
  processes.warm();
  return processExecutor({
    processes,
    clock,
    runtimeId,
    watchdog: watchdog(
      { runtimeId },
      (cause) => warn(`Cannot start the watchdog: ${cause.message}`),
    ),
    ...(graceMs !== undefined && { graceMs }),
    ...(outerMark !== undefined && { outerMark }),
    ...(contain !== undefined && { contain }),
  });
}

function byteLogs(
  id: string,
  clock: Clock,
  log: string | undefined,
  { output: { spill, ...limits } = {} }: RuntimeOptions,
): ByteLogs {
  if (spill === false) return new ByteLogs({ clock, ...limits });
  const kept = spill ?? (log === undefined ? undefined : absolutePath(log, "output"));
  const directory = kept ?? absolutePath(temporaryDirectory(), `shellflow-${id}`);
  return new ByteLogs({
    clock,
    ...limits,
    spill: {
      files: spillFiles(absolutePath(currentDirectory(), directory)),
      onClose: kept === undefined ? "remove" : "keep",
    },
  });
}

function envPolicy(env: RuntimeOptions["env"]): (origin: Origin) => EnvPolicy {
  if (env === undefined) return defaultEnvPolicy;
  return typeof env === "function" ? env : () => env;
}
