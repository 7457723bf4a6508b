import type { StopCause } from "../../event/command.ts";
import type { Outcome } from "../../event/execution.ts";
import type { Leftover } from "../../event/leftover.ts";
import type { Clock } from "../../platform/clock.ts";
import { bootId } from "../../platform/owner/boot.ts";
import { isDetachedOutput, readExit } from "../../platform/process/detached/detached-files.ts";
import type { ExitStatus, Processes, ProcessIdentity } from "../../platform/process/processes.ts";
import type { Adoption } from "../executor.ts";
import type { CommandRun } from "../run/command-run.ts";
import { outcomeOf, type Sent, statusOf } from "../run/outcome.ts";
import type { RunBody } from "../run/run-body.ts";
import { lookUntil } from "../tree/look-until.ts";
import { DETACHED_MARK } from "../tree/marks.ts";
import { ProcessTree } from "../tree/process-tree.ts";

/** What following a detached process needs. */
export interface DetachedRunOptions {
  readonly processes: Processes;
  readonly clock: Clock;
}

/** Between the first two looks at the files of a process, in milliseconds. */
const FIRST_LOOK_MS = 200;

/** A detached process as this host sees it: its end is read from what its wrapper recorded. */
export class DetachedRun {
  readonly #run: CommandRun;
  readonly #process: Adoption;
  readonly #options: DetachedRunOptions;
  #tree: ProcessTree;
  /** Whether this host started it, and is its parent. */
  readonly #own: boolean;
  #status: ExitStatus | undefined;
  #ended = false;
  #cancelLook = () => {};

  constructor(run: CommandRun, process: Adoption, options: DetachedRunOptions & { own: boolean }) {
    this.#run = run;
    this.#process = process;
    this.#options = options;
    this.#own = options.own;
    this.#tree = this.#treeOf(undefined);
  }

  /** What the run of the command needs. */
  get body(): RunBody {
    const { pid, startTime } = this.#process;
    const tree = () => this.#tree;
    return {
      get tree() {
        return tree();
      },
      signal: (name) => this.alive && this.#options.processes.signalGroup(pid, name),
      mayHaveLeft: () => true,
      outcome: (status, sent) => this.#outcome(status, sent),
      // Without the wrapper, which has done its work.
      describe: (members) =>
        this.#tree.describe(
          members.filter((member) => member.pid !== pid || member.startTime !== startTime),
        ),
      released: () => this.#cancelLook(),
    };
  }

  /**
   * Whether its wrapper lives, as the process that was started: on this run of the machine, under this
   * pid, since this time, with this mark.
   */
  get alive(): boolean {
    if (this.#ended) return false;
    if (this.#own) return this.#status === undefined;
    const { processes } = this.#options;
    const { commandId, pid, startTime, bootId: boot } = this.#process;
    const table = processes.table();
    const found = table.all.find((process) => process.pid === pid);
    return boot === bootId() && found !== undefined && !/[ZX]/.test(found.state) &&
      found.startTime === startTime &&
      table.variable(pid, DETACHED_MARK)?.split(" ").includes(commandId) === true;
  }

  /** End it, with all of its group if it is still the process that was started, and what it left. */
  stop(by: StopCause): Promise<readonly Leftover[]> {
    if (!this.#run.stopping && this.alive) this.#tree = this.#treeOf(this.#process);
    return this.#run.stop({ by }).finally(() => this.look());
  }

  /** Look at its files, now and then. */
  follow(): void {
    this.#cancelLook = lookUntil(
      this.#options.clock,
      () => this.look(),
      { firstMs: FIRST_LOOK_MS },
    );
  }

  /** Its wrapper ended. */
  wrapperEnded(status: ExitStatus): void {
    this.#status = status;
    this.look();
  }

  /** Look whether it has ended; answers whether it has. */
  look(): boolean {
    if (this.#ended) return true;
    const { startedAt, pidFile, ended } = this.#process;
    let recorded = readExit(pidFile);
    if (recorded === undefined && !ended) {
      if (this.alive) return false;
      // The record is written before the wrapper ends.
      recorded = readExit(pidFile);
    }
    this.#ended = true;
    this.#run.exited({
      status: { code: recorded?.code ?? null, signal: this.#status?.signal ?? null },
      durationMs: (recorded?.at ?? this.#options.clock.now()) - startedAt,
      ...(ended && { announced: true }),
    });
    return true;
  }

  #treeOf(root: ProcessIdentity | undefined): ProcessTree {
    const { commandId, pidFile } = this.#process;
    return new ProcessTree(this.#options.processes, {
      ...(root && { root }),
      variable: DETACHED_MARK,
      isMark: (word) => word === commandId,
      isOutput: (link) => isDetachedOutput(pidFile, link),
    });
  }

  #outcome({ code, signal }: ExitStatus, sent: Sent): Outcome {
    if (code !== null) return outcomeOf(statusOf(code, sent), sent);
    if (signal !== null) return outcomeOf({ code, signal }, sent);
    // Nothing else keeps a wrapper from its record.
    const killed = sent.stop !== undefined || sent.signals?.has("SIGKILL");
    if (killed) return outcomeOf({ code, signal: "SIGKILL" }, sent);
    return { type: "lost", reason: "Its process is gone, and did not record how it ended" };
  }
}
