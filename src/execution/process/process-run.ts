import type { Subscriber } from "rxjs";
import type { Invocation } from "../../event/env.ts";
import type { ExecutionEvent, Outcome } from "../../event/execution.ts";
import type { CancelTimer } from "../../platform/clock.ts";
import type { Contain } from "../../platform/process/containment.ts";
import type { ChildProcess, ExitStatus, GroupLeader } from "../../platform/process/processes.ts";
import { CommandRun, type CommandRunOptions } from "../run/command-run.ts";
import { lookInMs } from "../tree/look-in.ts";
import { statusOf } from "../run/outcome.ts";
import { MARK } from "../../platform/process/mark.ts";
import { ProcessTree } from "../tree/process-tree.ts";
import { whenEmpty } from "../tree/when-empty.ts";

/** What a run in a process of its own needs from outside. */
export interface ProcessRunOptions extends CommandRunOptions {
  readonly invocation: Invocation;
  /** What the mark of this command is to be. */
  readonly mark: string;
  /** The marks of a runtime that this one runs in, which stay beside ours. */
  readonly outerMark: string | undefined;
  /** Puts the process into a container. */
  readonly contain: Contain | undefined;
  /** Called once when the process has started, as the leader of a group. */
  readonly onGroup: (leader: GroupLeader) => void;
  /** Called once when the group has ended, and its number may come to belong to others. */
  readonly onGroupGone: (group: number) => void;
}

/** A command in a process of its own, the leader of a session and a group. */
export class ProcessRun extends CommandRun {
  readonly #own: ProcessRunOptions;
  #child: ChildProcess | undefined;
  #groupGone = false;
  #cancelLook: CancelTimer = () => {};

  constructor(subscriber: Subscriber<ExecutionEvent>, options: ProcessRunOptions) {
    super(subscriber, options);
    this.#own = options;
  }

  start(): void {
    if (!this.open()) return;
    const child = this.#spawn();
    if (child === undefined) return;
    const { commandId, mark, processes } = this.#own;
    this.#child = this.source = child;
    const root = {
      pid: child.pid,
      ...(child.startTime === undefined ? {} : { startTime: child.startTime }),
    };
    this.#own.onGroup(child);
    if (this.paused) child.pause();
    const pipe = child.outputPipe;
    this.tree = new ProcessTree(processes, {
      root,
      isMark: (word) => word === mark,
      contained: this.#own.contain !== undefined,
      ...(pipe === undefined ? {} : { isOutput: (link) => link === pipe }),
    });
    this.startClock();
    this.subscriber.next({
      type: "execution.started",
      commandId,
      executor: "process",
      ...root,
      group: child.pid,
    });
    this.begun();
  }

  /** A container tells of a signal that ended its first process as a shell does. */
  protected override outcome(status: ExitStatus): Outcome {
    const { code } = status;
    if (this.#own.contain === undefined || code === null) return super.outcome(status);
    return super.outcome(statusOf(code, { stop: this.stopped, sent: this.sent }));
  }

  protected override sendSignal(name: string): boolean {
    return this.tree?.signalGroup(name) ?? false;
  }

  #spawn(): ChildProcess | undefined {
    const { invocation, processes, mark, outerMark, contain } = this.#own;
    const spec = {
      file: invocation.file,
      args: invocation.args,
      cwd: invocation.cwd,
      env: {
        ...invocation.env.reveal(),
        [MARK]: outerMark === undefined ? mark : `${outerMark} ${mark}`,
      },
    };
    const failed = (cause: unknown) => {
      const why = cause instanceof Error ? cause.message : String(cause);
      this.fail(`Cannot start "${invocation.file}" in "${invocation.cwd}": ${why}`);
    };
    try {
      return processes.spawn(contain?.(spec) ?? spec, {
        data: (chunk) => this.data(chunk),
        end: () => this.outputEnded(),
        exit: (status) => this.#leaderEnded(status),
        error: failed,
      });
    } catch (cause) {
      failed(cause);
      return undefined;
    }
  }

  #leaderEnded(status: ExitStatus): void {
    const { tree } = this;
    tree?.leaderEnded();
    this.#lookForGroup(0);
    // The leader of a container ends before the system has ended all that is in it: nobody is left.
    if (tree === undefined || this.#own.contain === undefined) return this.exited(status);
    whenEmpty(tree, this.#own.clock, () => this.exited(status));
  }

  protected override mayHaveLeft(): boolean {
    return this.tree?.groupAlive ?? false;
  }

  protected override othersMayLive(): boolean {
    const { background, contain } = this.#own;
    if (this.#child === undefined || contain !== undefined) return false;
    // Who is to end is looked for at any cost.
    return background === "end" || this.#own.processes.mayHaveFollowers(this.#child.pid);
  }

  /**
   * Let go of the group as soon as it is gone, though processes that left it may live on for long and
   * hold the output: nobody else looks then.
   */
  #lookForGroup(looks: number): void {
    if (this.#groupGone) return;
    if (this.tree?.groupAlive === false) return this.letGo();
    const { clock } = this.#own;
    this.#cancelLook = clock.after(lookInMs(looks), () => this.#lookForGroup(looks + 1));
  }

  protected override letGo(): void {
    this.#cancelLook();
    if (this.#groupGone || this.#child === undefined) return;
    this.#groupGone = true;
    this.#own.onGroupGone(this.#child.pid);
  }
}
