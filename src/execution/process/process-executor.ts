import type { CommandId } from "../../event/command.ts";
import type { Invocation } from "../../event/env.ts";
import type { Leftover } from "../../event/leftover.ts";
import type { Executor } from "../executor.ts";
import { type AttachedOptions, markOf } from "../run/attached-options.ts";
import { cannotStart } from "../run/cannot-start.ts";
import type { CommandRun } from "../run/command-run.ts";
import { executionStarted } from "../run/execution-started.ts";
import { Leader } from "../run/leader.ts";
import { outcomeOf, statusOf } from "../run/outcome.ts";
import { RunningCommands } from "../run/running-commands.ts";
import { lookUntil } from "../tree/look-until.ts";
import { endOrphans } from "../tree/orphans.ts";
import { type Contain, whyNotContained } from "../../platform/process/containment.ts";
import type { OutputStream } from "../../stream/bytes.ts";
import { MARK } from "../../platform/process/mark.ts";
import type { ChildProcess, ExitStatus, SpawnSpec } from "../../platform/process/processes.ts";

/** Run each command in a fresh process, the leader of a session and group of its own. */
export function processExecutor(options: ProcessExecutorOptions): Executor {
  const { processes, runtimeId, watchdog } = options;
  const runs = new RunningCommands();
  const sweeps = new Map<CommandId, Promise<readonly Leftover[]>>();
  return {
    name: "process",
    capabilities: {
      terminal: false,
      input: true,
      persistent: false,
      detaches: false,
      splits: true,
      inherits: true,
    },
    ...runs.answers(),
    run: (commandId, invocation, sinks) =>
      runs.attached(
        { ...options, commandId, limits: invocation.limits },
        sinks,
        (run) => startProcess(run, invocation, options),
      ),
    sweep: (commandId) => {
      const run = runs.get(commandId);
      if (run !== undefined) return run.stop({ by: "stop" });
      // A second call does not begin with a new grace.
      const known = sweeps.get(commandId);
      if (known !== undefined) return known;
      const begun = endOrphans((word) => word === `${runtimeId}/${commandId}`, options)
        .finally(() => sweeps.delete(commandId));
      sweeps.set(commandId, begun);
      return begun;
    },
    close: async () => {
      await runs.close();
      // What a sweep ends can have lost every mark by now: no later search finds it.
      await Promise.all(sweeps.values());
      // Whatever left its command with nothing but the mark of this runtime.
      await endOrphans((word) => word.startsWith(`${runtimeId}/`), options);
      watchdog?.close();
      processes.close();
    },
  };
}

/** What the process executor needs. */
interface ProcessExecutorOptions extends AttachedOptions {
  /** Puts each command into a container, so that nothing of it survives it. */
  readonly contain?: Contain;
}

/** So many looks, which take two seconds, the system gets to end what is in a container. */
const CONTAINER_LOOKS = 45;

/** Start a command in a process of its own, the leader of a session and a group. */
function startProcess(
  run: CommandRun,
  invocation: Invocation,
  options: ProcessExecutorOptions,
): void {
  const { processes, clock, contain } = options;
  const { commandId } = run;
  const exited = (status: ExitStatus) => {
    leader.exited();
    if (contain === undefined) return run.exited({ status });
    // The leader of a container ends before the system has ended all that is in it.
    let looks = CONTAINER_LOOKS;
    lookUntil(clock, () => {
      if (leader.body.tree.survey().length !== 0 && --looks > 0) return false;
      run.exited({ status });
      return true;
    }, { firstMs: 1, longestMs: 50 });
  };
  const failed = (cause: unknown) => run.failed(cannotStart(invocation, cause));
  let child: ChildProcess | undefined;
  /** The beginning of the output, where a container can be what wrote it. */
  let first = "";
  const take = (stream?: OutputStream) => (chunk: Uint8Array) => {
    if (contain !== undefined && first.length < 500) first += new TextDecoder().decode(chunk);
    run.data(chunk, stream);
  };
  try {
    const spec = specOf(invocation, options, commandId);
    const contained = contain?.(spec, (refused) => {
      run.report({ type: "execution.refused", commandId, ...refused });
    });
    void run.finished.then(() => contained?.release?.());
    child = processes.spawn(contained?.spec ?? spec, {
      data: take(),
      ...(invocation.split && { errorData: take("stderr") }),
      end: () => run.outputEnded(),
      exit: exited,
      error: failed,
    });
  } catch (cause) {
    return failed(cause);
  }
  if (child === undefined) return;
  const leader = new Leader(child, { ...options, commandId, contained: contain !== undefined });
  run.started({
    ...leader.body,
    output: child,
    input: child.input,
    // A container reports a signal that ended its first process as a shell does.
    outcome: (status, sent) => {
      if (contain === undefined || status.code === null) return undefined;
      const why = whyNotContained(status, first);
      if (why !== undefined) {
        return { type: "spawnFailed", reason: cannotStart(invocation, new Error(why)) };
      }
      return outcomeOf(statusOf(status.code, sent), sent);
    },
  }, executionStarted(child, { commandId, executor: "process" }));
}

function specOf(
  { file, args, cwd, env, input }: Invocation,
  options: ProcessExecutorOptions,
  commandId: string,
): SpawnSpec {
  return {
    file,
    args,
    cwd,
    env: { ...env.reveal(), [MARK]: markOf(options, commandId) },
    ...(input && { input }),
  };
}
