import type { Executor } from "../execution/executor.ts";
import { fromCurrentDirectory } from "../platform/environment/environment.ts";
import { randomIds } from "../platform/ids.ts";
import { loadNativeCalls } from "../platform/native/load-native-calls.ts";
import { hostProcesses } from "../platform/process/host-processes.ts";
import { whyOrphansSurvive } from "../platform/process/missing-capabilities.ts";
import { hostExecutor } from "./executors.ts";
import { sandboxOf } from "./options/sandbox.ts";
import {
  checkOptions,
  type CreateExecutorOptions,
  type RuntimeOptions,
} from "./options/options.ts";

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
 *
 * @throws {Error} When something is missing that `allowMissing` does not name.
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
