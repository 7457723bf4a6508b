import type { Invocation } from "../../event/env.ts";
import type { CancelTimer } from "../../platform/clock.ts";
import type { Contain } from "../../platform/process/containment.ts";
import { MARK } from "../../platform/process/mark.ts";
import type { ChildProcess, ExitStatus, SpawnSpec } from "../../platform/process/processes.ts";
import { type AttachedOptions, markOf } from "../run/attached-options.ts";
import type { CommandRun } from "../run/command-run.ts";
import { outcomeOf, statusOf } from "../run/outcome.ts";
import { lookUntil } from "../tree/look-until.ts";
import { ProcessTree } from "../tree/process-tree.ts";

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
  const { processes, clock, contain, watchdog, background } = options;
  const { commandId } = run;
  const mark = `${options.runtimeId}/${commandId}`;
  let child: ChildProcess | undefined;
  let tree: ProcessTree | undefined;
  let watched = false;
  let cancelWatch: CancelTimer = () => {};
  const release = () => {
    cancelWatch();
    if (watched && child !== undefined) watchdog?.release(child.pid);
    watched = false;
  };
  const exited = (status: ExitStatus) => {
    tree?.leaderEnded();
    // A group is released when it is empty, although processes that left it may hold the output for
    // long: its number may come to belong to others.
    cancelWatch = lookUntil(clock, () => {
      if (tree?.groupAlive) return false;
      release();
      return true;
    });
    if (contain === undefined) return run.exited({ status });
    // The leader of a container ends before the system has ended all that is in it.
    let looks = CONTAINER_LOOKS;
    lookUntil(clock, () => {
      if (tree?.survey().length !== 0 && --looks > 0) return false;
      run.exited({ status });
      return true;
    }, { firstMs: 1, longestMs: 50 });
  };
  const failed = (cause: unknown) => {
    const { file, cwd } = invocation;
    run.failed(`Cannot start "${file}" in "${cwd}": ${messageOf(cause)}`);
  };
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
  const { pid, startTime, outputPipe: pipe, input } = child;
  const root = { pid, ...(startTime !== undefined && { startTime }) };
  watchdog?.register(child);
  watched = true;
  const members = tree = new ProcessTree(processes, {
    root,
    isMark: (word) => word === mark,
    contained: contain !== undefined,
    ...(pipe !== undefined && { isOutput: (link) => link === pipe }),
  });
  run.started({
    tree: members,
    output: child,
    input,
    signal: (name) => members.signalGroup(name),
    mayHaveLeft: () => members.groupAlive,
    // A process that is to be ended is looked for at any cost.
    othersMayLive: () =>
      contain === undefined && (background === "end" || processes.mayHaveFollowers(pid)),
    // A container reports a signal that ended its first process as a shell does.
    outcome: ({ code }, sent) =>
      contain === undefined || code === null ? undefined : outcomeOf(statusOf(code, sent), sent),
    describe: (left) => members.describe(left),
    released: release,
  }, { type: "execution.started", commandId, executor: "process", ...root, group: pid });
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

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
