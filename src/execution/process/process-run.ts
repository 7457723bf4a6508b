import type { Invocation } from "../../event/env.ts";
import type { Contain } from "../../platform/process/containment.ts";
import { MARK } from "../../platform/process/mark.ts";
import type { ChildProcess, ExitStatus, SpawnSpec } from "../../platform/process/processes.ts";
import { type AttachedOptions, markOf } from "../run/attached-options.ts";
import { cannotStart } from "../run/cannot-start.ts";
import type { CommandRun } from "../run/command-run.ts";
import { Leader } from "../run/leader.ts";
import { outcomeOf, statusOf } from "../run/outcome.ts";
import { lookUntil } from "../tree/look-until.ts";

/** What the process executor needs. */
export interface ProcessExecutorOptions extends AttachedOptions {
  /** Puts each command into a container, so that nothing of it survives it. */
  readonly contain?: Contain;
}

/** So many looks, which take two seconds, the system gets to end what is in a container. */
const CONTAINER_LOOKS = 45;

/** Start a command in a process of its own, the leader of a session and a group. */
export function startProcess(
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
  try {
    child = processes.spawn(specOf(invocation, options, commandId), {
      data: (chunk) => run.data(chunk),
      end: () => run.outputEnded(),
      exit: exited,
      error: failed,
    });
  } catch (cause) {
    return failed(cause);
  }
  if (child === undefined) return;
  const leader = new Leader(child, { ...options, commandId, contained: contain !== undefined });
  const { identity, body } = leader;
  run.started({
    ...body,
    output: child,
    input: child.input,
    // A container reports a signal that ended its first process as a shell does.
    outcome: ({ code }, sent) =>
      contain === undefined || code === null ? undefined : outcomeOf(statusOf(code, sent), sent),
  }, {
    type: "execution.started",
    commandId,
    executor: "process",
    ...identity,
    group: identity.pid,
  });
}

function specOf(
  { file, args, cwd, env, input }: Invocation,
  options: ProcessExecutorOptions,
  commandId: string,
): SpawnSpec {
  const spec: SpawnSpec = {
    file,
    args,
    cwd,
    env: { ...env.reveal(), [MARK]: markOf(options, commandId) },
    ...(input && { input }),
  };
  return options.contain?.(spec) ?? spec;
}
