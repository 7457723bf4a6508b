import type { Subscriber } from "rxjs";
import type { ExecutionEvent, Outcome } from "../../event/execution.ts";
import type { Leftover } from "../../event/leftover.ts";
import type { Clock } from "../../platform/clock.ts";
import type { RecordedExit } from "../../platform/process/detached/detached-files.ts";
import type { DetachedProcesses } from "../../platform/process/detached/detached-processes.ts";
import type { ExitStatus, Processes } from "../../platform/process/processes.ts";
import type { Adoption } from "../executor.ts";
import type { Haste } from "../tree/haste.ts";
import { killTree } from "../tree/kill.ts";
import { outcomeOf, statusOf, type Stop } from "../run/outcome.ts";
import { DETACHED_MARK } from "../tree/marks.ts";
import { ProcessTree } from "../tree/process-tree.ts";
import { SentSignals } from "../run/sent-signals.ts";
import { isAlive } from "./is-alive.ts";

/** What watching a detached process needs. */
export interface DetachedRunOptions {
  readonly processes: Processes;
  readonly detached: DetachedProcesses;
  readonly clock: Clock;
  readonly graceMs: number;
  /** Ends the grace before its time. */
  readonly haste?: Haste | undefined;
  /** This host started it, and is told when its wrapper ends. */
  readonly own: boolean;
}

const KILL = "SIGKILL";

/** A detached process as this host sees it, until its end is told or the host leaves it. */
export class DetachedRun {
  readonly #process: Adoption;
  readonly #subscriber: Subscriber<ExecutionEvent>;
  readonly #options: DetachedRunOptions;
  #stop: Stop | undefined;
  readonly #sent = new SentSignals();
  #lastSignal = KILL;
  #killing: Promise<void> | undefined;
  /** Whoever is being ended; it knows also those that shed their marks, or hide them as another user's. */
  #ending: ProcessTree | undefined;
  #killOver = false;
  #status: ExitStatus | undefined;
  /** Its end was told; it may have left others. */
  #ended: boolean;
  #over = false;

  constructor(
    process: Adoption,
    subscriber: Subscriber<ExecutionEvent>,
    options: DetachedRunOptions,
  ) {
    this.#process = process;
    this.#subscriber = subscriber;
    this.#options = options;
    this.#ended = process.ended ?? false;
  }

  /** Nothing will be told any more. */
  get over(): boolean {
    return this.#over;
  }

  /** Whether its wrapper is the process that was started, and lives. */
  get alive(): boolean {
    if (this.#ended) return false;
    const { processes, detached, own } = this.#options;
    if (own) return this.#status === undefined;
    return isAlive(this.#process, { table: processes.table(), bootId: detached.bootId });
  }

  /** The wrapper ended, as its parent was told. */
  exited(status: ExitStatus): void {
    this.#status = status;
    this.look();
  }

  /** See whether it has ended, and later whether nobody is left of it, and tell. */
  look(): void {
    if (this.#over || (this.#killing !== undefined && !this.#killOver)) return;
    if (this.#ended) return this.#closeUnless(this.#leftovers());
    const { exitOf } = this.#options.detached;
    const { pidFile } = this.#process;
    const recorded = exitOf(pidFile);
    if (recorded !== undefined) return this.#end(recorded);
    // The record is written before the wrapper ends: whoever sees it gone looks once more.
    if (!this.alive) this.#end(exitOf(pidFile));
  }

  /** End it by the kill protocol, if it is still the process that was started, and whoever it left. */
  stop(stop: Stop): Promise<void> {
    if (this.#over) return Promise.resolve();
    this.#stop ??= stop;
    const { by } = this.#stop;
    const { clock, graceMs, haste } = this.#options;
    this.#ending ??= this.#tree(this.alive);
    return this.#killing ??= killTree(this.#ending, clock, {
      graceMs,
      haste,
      onSignal: (signal) => {
        this.#lastSignal = signal;
        const { commandId } = this.#process;
        this.#subscriber.next({ type: "execution.stopping", commandId, by, signal });
      },
    }).then((survivors) => {
      this.#killOver = true;
      if (this.#ended || survivors.length === 0) this.look();
      else this.#end(this.#options.detached.exitOf(this.#process.pidFile));
    }, (cause) => {
      this.#over = true;
      this.#subscriber.error(cause);
    });
  }

  /** Send a signal to its group. */
  signal(name: string): boolean {
    const sent = this.alive && this.#options.processes.signalGroup(this.#process.pid, name);
    if (sent) this.#sent.add(name, this.#options.clock.now());
    return sent;
  }

  /** Tell nothing more; the process goes on. */
  leave(): void {
    this.#over = true;
  }

  #end(recorded: RecordedExit | undefined): void {
    const { commandId, startedAt } = this.#process;
    const outcome = this.#outcome(recorded);
    this.#ended = true;
    const leftovers = this.#leftovers();
    const at = recorded?.at ?? this.#options.clock.now();
    this.#subscriber.next(
      outcome === undefined
        ? {
          type: "task.lost",
          commandId,
          reason: "Its process is gone, and did not record how it ended",
          leftovers,
        }
        : {
          type: "execution.exited",
          commandId,
          outcome,
          durationMs: Math.max(0, Math.round(at - startedAt)),
          leftovers,
        },
    );
    // Whoever heard of it may have asked for the end of what is left.
    if (this.#killing === undefined || this.#killOver) this.#closeUnless(leftovers);
  }

  /** Tell that it is over, unless somebody is left who can still be ended. */
  #closeUnless(leftovers: readonly Leftover[]): void {
    if (leftovers.length > 0 && !this.#killOver) return;
    this.#over = true;
    const { commandId } = this.#process;
    this.#subscriber.next({ type: "execution.closed", commandId, leftovers });
    this.#subscriber.complete();
  }

  #outcome(recorded: RecordedExit | undefined): Outcome | undefined {
    const sent = this.#sent.at(recorded?.at ?? this.#options.clock.now());
    const asked = { stop: this.#stop, sent };
    if (recorded !== undefined) return outcomeOf(statusOf(recorded.code, asked), asked);
    if (this.#stop !== undefined) return outcomeOf({ code: null, signal: this.#lastSignal }, asked);
    if (this.#status?.signal) return outcomeOf(this.#status, asked);
    // Nothing else keeps a wrapper from its record.
    return sent.has(KILL) ? outcomeOf({ code: null, signal: KILL }, asked) : undefined;
  }

  /** Whoever carries the mark beside the wrapper, which has done its work. */
  #leftovers(): readonly Leftover[] {
    const tree = this.#ending ?? this.#tree(false);
    const { pid, startTime } = this.#process;
    const members = tree.survey()
      .filter((member) => member.pid !== pid || member.startTime !== startTime);
    return tree.describe(members);
  }

  /** @param led Whether the pid is known to be ours, so that its group may be signalled as a whole. */
  #tree(led: boolean): ProcessTree {
    const { commandId, pid, startTime, pidFile } = this.#process;
    const { isOutput } = this.#options.detached;
    const root = { pid, ...(startTime !== undefined && { startTime }) };
    return new ProcessTree(this.#options.processes, {
      ...(led && { root }),
      variable: DETACHED_MARK,
      isMark: (word) => word === commandId,
      isOutput: (link) => isOutput(pidFile, link),
    });
  }
}
