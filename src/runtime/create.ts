import { defined } from "../value/defined.ts";
import { bashOf, defaultEnvPolicy } from "../env/construct.ts";
import { secretsOf } from "../env/secrets.ts";
import type { RuntimeEvent } from "../event/event.ts";
import { MemoryLog } from "../event/log/memory-log.ts";
import { BUILT_IN } from "../command/program/programs.ts";
import { readPrograms } from "../command/program/user-programs.ts";
import { systemClock } from "../platform/clock.ts";
import { detachedStarter } from "../platform/process/detached/detached-processes.ts";
import { checkDirectory as checkOwnDirectory } from "../platform/file/directories.ts";
import {
  environment,
  fromCurrentDirectory,
  homeDirectory,
  warn,
} from "../platform/environment/environment.ts";
import { attempt } from "../platform/failure.ts";
import { loadNativeCalls } from "../platform/native/load-native-calls.ts";
import { hostProcesses } from "../platform/process/host-processes.ts";
import { randomIds } from "../platform/ids.ts";
import { absolutePath } from "../platform/file/paths.ts";
import { keptOutput } from "./output/kept-output.ts";
import { sandboxOf } from "./options/sandbox.ts";
import { checkCapabilities, hostExecutor } from "./create-executor.ts";
import { openHost } from "./host.ts";
import { keepState } from "./state/keep-state.ts";
import { checkedEnv, envByOrigin } from "./options/env-options.ts";
import { checkExecutor, checkOptions, type RuntimeOptions } from "./options/options.ts";
import { runtimePolicy } from "./permission/permission-options.ts";
import { recordedOutputs } from "./state/recorded-output.ts";
import { recoveryOf } from "./state/recovery.ts";
import type { Runtime } from "./runtime.ts";
import { Mask } from "../text/mask.ts";
import { openState } from "./state/open-state.ts";
import { powershellProgram, userShell } from "./options/user-shell.ts";

/**
 * Make a runtime, which judges commands, runs them, and records everything that happens.
 *
 * @throws {TypeError} When an option cannot be used.
 * @throws {Error} When this machine lacks something that {@linkcode RuntimeOptions.allowMissing} does not name.
 * @throws {OwnedError} When another process has the directory of the log.
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
  // One that fails before it is waited for would end the process.
  if (options?.bashEnv instanceof Promise) options.bashEnv.catch(() => {});
  checkOptions(options);
  checkCapabilities(options);
  const parts = await openParts(options);
  try {
    return await compose(options, parts);
  } catch (cause) {
    parts.output.files?.close();
    await parts.state?.log.close();
    parts.state?.lock.release();
    throw cause;
  }
}

/** Open what has to be closed again where the runtime cannot be made. */
async function openParts(options: RuntimeOptions) {
  const { clock = systemClock, ids = randomIds } = options;
  const id = ids.next("runtime");
  const cwd = fromCurrentDirectory(options.cwd ?? ".");
  const given = typeof options.executor === "object" ? options.executor : undefined;
  const checkDirectory = given?.checkDirectory ?? checkOwnDirectory;
  const problem = checkDirectory(cwd);
  if (problem !== undefined) throw new TypeError(`Cannot use cwd "${cwd}": ${problem}`);
  const workspace = absolutePath(cwd, options.workspace ?? ".");
  const lack = checkDirectory(workspace);
  if (lack !== undefined) throw new TypeError(`Cannot use workspace "${workspace}": ${lack}`);
  // Where no command runs on this machine, as in a playback, it may have no bash.
  const elsewhere = given?.checkDirectory !== undefined;
  const shell = bashOf(environment(), { optional: elsewhere });
  const programs = options.programs === undefined ? BUILT_IN : readPrograms(options.programs);
  const permission = runtimePolicy(options, { cwd, programs });
  const directory = options.log === undefined ? undefined : absolutePath(cwd, options.log);
  const state = directory === undefined ? undefined : await openState({
    directory,
    runtimeId: id,
    clock,
    onFailure: options.onLogFailure ?? ((cause) => warn(cause.message)),
  });
  const log = state?.log ?? new MemoryLog({ clock });
  const onReleased = (event: RuntimeEvent) => void log.append(event);
  const output = keptOutput(options, { id, cwd, log: directory, clock, onReleased });
  return { id, cwd, clock, ids, log, shell, programs, permission, state, output };
}

async function compose(
  options: RuntimeOptions,
  parts: Awaited<ReturnType<typeof openParts>>,
): Promise<Runtime> {
  const { id, cwd, clock, ids, log, shell, programs, permission, state, output } = parts;
  const { logs, files, temporary } = output;
  const { graceMs = 5_000 } = options;
  // No command may make them, or change them.
  if (options.sandbox !== undefined) files?.prepare();
  const sandbox = options.sandbox &&
    sandboxOf(options.sandbox, options, { cwd, log: state?.directory, output: files?.directory });
  const { defaultExecutor: preference = "process", env = defaultEnvPolicy } = options;
  const { hostEnv: base = environment() } = options;
  const home = homeDirectory();
  const { maskSecrets = true } = options.output ?? {};
  const ofHost = maskSecrets ? secretsOf(base, typeof env === "function" ? {} : env) : [];
  const secrets = typeof maskSecrets === "boolean" ? ofHost : [...ofHost, ...maskSecrets];
  const native = await loadNativeCalls();
  const { processes = hostProcesses(id, { native }) } = options;
  const graceCutoff = new AbortController();
  const intend = state && (() => state.log.flush({ sync: true }));
  const makeExecutor = () =>
    hostExecutor(options, {
      runtimeId: id,
      processes,
      native,
      graceCutoff: graceCutoff.signal,
      temporary,
      sandbox,
      detached: state && intend && {
        startDetached: detachedStarter(absolutePath(state.directory, "detached")),
        intend,
      },
    });
  const executor = typeof options.executor === "function"
    ? checkExecutor(options.executor(await makeExecutor()), sandbox)
    : options.executor ?? await makeExecutor();
  const users = options.userShell === "detect" ? userShell(base) : undefined;
  const otherShells = () =>
    [users?.otherShell, powershellProgram(base)].filter((other) => other !== undefined);
  const shells = { shell, otherShells };
  const surroundings = options.prefix || options.bashEnv || options.envFile
    ? await (await import("./options/surroundings.ts"))
      .surroundingsOf(options, {
        cwd,
        base,
        ...shells,
        // A log that has closed takes no more.
        report: (event) => void attempt(() => log.append(event)),
      })
    : undefined;
  let release = () => Promise.resolve();
  const host = openHost({
    ...parts,
    home,
    options,
    logs,
    executor,
    processes,
    graceCutoff,
    mask: secrets.length > 0 ? new Mask(secrets) : undefined,
    permit: { ...permission, ids, ...defined({ asker: options.ask }) },
    sessions: {
      checkDirectory: executor.checkDirectory ?? checkOwnDirectory,
      preference: typeof preference === "function" ? preference : () => preference,
      dialectOf: users?.dialectOf,
      fixUps: options.fixUps ?? false,
      ...surroundings?.sessions,
    },
    pipeline: {
      parse: { home, programs, ...surroundings?.parse },
      construct: {
        policy: typeof env === "function" ? checkedEnv(env) : envByOrigin(env),
        base,
        sessionVariable: "SHELLFLOW_SESSION",
        ...surroundings?.construct ?? shells,
      },
      executor,
      buffer: { logs, clock },
      gates: options.gates ?? [],
    },
    ...(state && {
      earlier: state.earlier,
      intend,
      // A failure of the log is reported elsewhere.
      recorded: recordedOutputs(state.directory, () => log.flush().catch(() => {})),
      release: () => release(),
    }),
  });
  if (state === undefined) return host;
  host.recover(recoveryOf(state.earlier));
  const { guests } = options;
  const orphans = { processes, clock, graceMs, graceCutoff: graceCutoff.signal };
  release = await keepState(host, state, { ...orphans, guests });
  return host;
}
