import type { Subscriber } from "rxjs";
import type { CommandId, Limits } from "../../event/command.ts";
import type { ExecutionEvent, ExecutionExited, Outcome } from "../../event/execution.ts";
import type { Leftover } from "../../event/leftover.ts";
import type { CancelTimer, Clock } from "../../platform/clock.ts";
import type { ExitStatus, Processes, ProcessInfo } from "../../platform/process/processes.ts";
import type { ByteSink, ByteSinks } from "../../stream/bytes.ts";
import { drain } from "./drain.ts";
import type { Haste } from "../tree/haste.ts";
import { killTree } from "../tree/kill.ts";
import { lookInMs } from "../tree/look-in.ts";
import { outcomeOf, type Stop } from "./outcome.ts";
import type { ProcessTree } from "../tree/process-tree.ts";
import { RunLimits } from "./run-limits.ts";
import { AT_WORK_MS, SentSignals } from "./sent-signals.ts";

/** What each run needs from outside. */
export interface CommandRunOptions {
  readonly commandId: CommandId;
  readonly limits: Limits;
  readonly processes: Processes;
  readonly clock: Clock;
  readonly sinks: ByteSinks;
  readonly graceMs: number;
  /** Ends the grace before its time. */
  readonly haste: Haste | undefined;
  /** What becomes of the processes that a command leaves behind. */
  readonly background: "keep" | "end";
  /** Called before the end of the run is told, so that whoever hears of it finds nothing to stop. */
  readonly onFinished: () => void;
}

/** Where the bytes of a run come from. */
export interface ByteSource {
  pause(): void;
  resume(): void;
  /** Read no more, whoever still writes. */
  release(): void;
}

/** One command from its start until nobody holds its output, whatever runs it. */
export abstract class CommandRun {
  readonly finished: Promise<void>;
  protected readonly subscriber: Subscriber<ExecutionEvent>;
  protected readonly options: CommandRunOptions;
  protected tree: ProcessTree | undefined;
  protected source: ByteSource | undefined;
  protected sink: ByteSink | undefined;
  protected stopped: Stop | undefined;
  /** The signals that were sent to it on request, and may have ended it. */
  protected sent: ReadonlySet<string> = new Set();
  protected status: ExitStatus | undefined;
  /** Nobody can write any more. */
  protected ended = false;
  protected paused = false;
  #limits: RunLimits | undefined;
  #killing: Promise<unknown> | undefined;
  #killOver = false;
  readonly #signals = new SentSignals();
  /** It was known to live then: a stall of this host is no time in which it caught a signal. */
  #livedAt = -Infinity;
  #cancelSight: CancelTimer | undefined;
  #startedAt = 0;
  #total = 0;
  #answered = false;
  #closed = false;
  #hadLeftovers = false;
  #cancelDrain: CancelTimer = () => {};
  #cancelLook: CancelTimer = () => {};
  #finish: () => void = () => {};

  constructor(subscriber: Subscriber<ExecutionEvent>, options: CommandRunOptions) {
    this.subscriber = subscriber;
    this.options = options;
    this.finished = new Promise((resolve) => {
      this.#finish = () => {
        this.#cancelSight?.();
        options.onFinished();
        resolve();
      };
    });
  }

  /** Send a signal to what the command runs; answers whether it was there to get it. */
  signal(name: string): boolean {
    const there = this.sendSignal(name);
    if (there) {
      this.#signals.add(name, this.options.clock.monotonic());
      if (this.status === undefined) this.#seeWhetherItLives(AT_WORK_MS);
    }
    return there;
  }

  /** Who lives on when a signal would have ended it has caught that. */
  #seeWhetherItLives(ms: number): void {
    const { clock } = this.options;
    this.#cancelSight ??= clock.after(ms + 1, () => {
      this.#cancelSight = undefined;
      this.#livedAt = clock.monotonic();
      const left = this.#signals.lastMs + AT_WORK_MS - this.#livedAt;
      if (left >= 0) this.#seeWhetherItLives(left);
    });
  }

  protected abstract sendSignal(name: string): boolean;

  /** Whether somebody may be left whom only a look through the process table would find. */
  protected abstract mayHaveLeft(): boolean;

  /** Whether one may be left who shed all but the mark; a table that others have read tells who. */
  protected othersMayLive(): boolean {
    return false;
  }

  /** Whether what runs it never heard of it, and will not; its end is told without anybody being signalled. */
  protected takenBack(): boolean {
    return false;
  }

  /** Called before the first signal is sent to its processes. */
  protected askToEnd(): void {}

  /** Called when nothing of it is left, or is looked for any more. */
  protected letGo(): void {}

  protected outcome(status: ExitStatus): Outcome {
    return outcomeOf(status, { stop: this.stopped, sent: this.sent });
  }

  /** Who lives on, for people. */
  protected describe(members: readonly ProcessInfo[]): readonly Leftover[] {
    return this.tree?.describe(members) ?? [];
  }

  /** What else is to be told of the end. */
  protected more(): Pick<ExecutionExited, "shell"> {
    return {};
  }

  /** Open the sink; answers whether anybody still wants the command. */
  protected open(): boolean {
    this.sink = this.options.sinks.open(this.options.commandId, {
      pause: () => this.#pause(),
      resume: () => this.#resume(),
      end: () => void this.stop({ by: "outputLimit" }),
    });
    if (!this.subscriber.closed) return true;
    this.giveUp();
    return false;
  }

  /** Nothing runs, and nobody wants to hear of it. */
  protected giveUp(): void {
    this.sink?.end();
    this.#finish();
  }

  /** It runs, and it has been told. */
  protected begun(): void {
    const { clock, limits } = this.options;
    this.#limits = new RunLimits({
      clock,
      limits,
      reached: (stop) => void this.stop(stop),
    });
    this.#limits.hold(this.paused);
    // Asked for while it was being started.
    if (this.stopped !== undefined) void this.stop(this.stopped);
  }

  /** The moment from which the duration counts. */
  protected startClock(): void {
    this.#startedAt = this.options.clock.monotonic();
  }

  /** End the command by the kill protocol; the first cause is the one that is told. */
  stop(stop: Stop): Promise<unknown> {
    const { clock, graceMs, haste, commandId } = this.options;
    if (this.status === undefined) this.stopped ??= stop;
    if (this.tree === undefined || this.#closed) return Promise.resolve();
    // A command that its reader holds back cannot end while it waits for room in the pipe.
    this.#resume();
    const { by } = this.stopped ?? stop;
    if (this.#killing !== undefined) return this.#killing;
    if (this.takenBack()) return this.finished;
    let over: () => void = () => {};
    // Before anything is told: whoever hears of it may ask again.
    this.#killing = new Promise<void>((resolve) => (over = resolve));
    this.askToEnd();
    void killTree(this.tree, clock, {
      graceMs,
      haste,
      onSignal: (signal) =>
        this.subscriber.next({ type: "execution.stopping", commandId, by, signal }),
    }).then((survivors) => this.#killed(survivors.length), (cause) => {
      this.#finish();
      this.subscriber.error(cause);
    }).then(over);
    return this.#killing;
  }

  protected data(chunk: Uint8Array): void {
    this.#total += chunk.length;
    this.#limits?.heard();
    this.sink?.write(chunk);
  }

  #pause(): void {
    // What is left then is no more than a pipe holds, and nobody would wait for it.
    if (this.#killOver) return;
    this.paused = true;
    this.#limits?.hold(true);
    this.source?.pause();
  }

  #resume(): void {
    if (!this.paused) return;
    this.paused = false;
    this.#limits?.hold(false);
    this.source?.resume();
  }

  /** Nobody can write any more. */
  protected outputEnded(): void {
    this.ended = true;
    this.tree?.outputEnded();
    this.sink?.end();
    if (this.#answered) this.#closeWhenEmpty(0);
    else if (this.status !== undefined) this.#settle();
  }

  /** It is known how the command ended; others may still write. */
  protected exited(status: ExitStatus): void {
    this.status = status;
    this.#cancelSight?.();
    this.sent = this.#signals.at(this.#livedAt);
    this.#limits?.lift();
    // The status is known: to end what is left changes nothing about the outcome.
    if (this.options.background === "end" && this.#hasLeft()) void this.stop({ by: "stop" });
    this.#settle();
  }

  /** Answer once the output has ended, or is quiet, and nothing is being ended any more. */
  #settle(): void {
    if (this.#killing !== undefined && !this.#killOver) return;
    this.#cancelDrain();
    if (this.ended) return this.#answered ? this.#closeWhenEmpty(0) : this.#answer();
    const { clock, processes } = this.options;
    // Where it takes long to read it serves for as long, and tells nothing of whom the end has woken.
    const earlier = processes.lastTable();
    this.#cancelDrain = drain({
      clock,
      total: () => this.#total,
      held: () => this.paused,
      writersAtWork: () =>
        processes.table() === earlier ||
        (this.tree?.members().some(({ state }) => state === "R" || state === "D") ?? false),
      done: () => this.#answered ? this.#letGoOfOutput() : this.#answer(),
    });
  }

  #answer(): void {
    if (this.#answered || this.status === undefined) return;
    this.#cancelDrain();
    const leftovers = this.#leftovers();
    if (this.#endLate(leftovers)) return;
    this.#answered = true;
    const { commandId, clock } = this.options;
    // Before it is told: whoever hears of it may let the same shell run the next.
    const over = this.ended && leftovers.length === 0 && this.#killing === undefined;
    if (over) this.#over();
    this.subscriber.next({
      type: "execution.exited",
      commandId,
      outcome: this.outcome(this.status),
      durationMs: Math.round(clock.monotonic() - this.#startedAt),
      leftovers,
      ...this.more(),
    });
    if (over) this.#tellClosed(leftovers);
    else if (this.ended) this.#closeWhenEmpty(0);
    else if (this.#killOver) this.#letGoOfOutput();
  }

  /** After the kill protocol: whatever survived holds the answer back no longer. */
  #killed(survivors: number): void {
    this.#killOver = true;
    this.#resume();
    if (survivors > 0) {
      this.status ??= { code: null, signal: null };
      if (!this.ended) this.source?.release();
    }
    if (this.status === undefined) return;
    if (!this.#answered || !this.ended) this.#settle();
    else this.#closeWhenEmpty(0);
  }

  /**
   * Everybody who is known was ended, and somebody still holds the output, such as a program that
   * gives its user other rights: the system tells nobody what that one has open.
   */
  #letGoOfOutput(): void {
    this.source?.release();
  }

  /** Background processes may live on with their output elsewhere; they are of the command until they end. */
  #closeWhenEmpty(looks: number): void {
    if (this.#closed || !this.ended || (this.#killing !== undefined && !this.#killOver)) return;
    const leftovers = this.#leftovers();
    if (leftovers.length === 0 || this.#killOver) {
      this.#over();
      return this.#tellClosed(leftovers);
    }
    if (this.#endLate(leftovers)) return;
    this.#cancelLook();
    this.#cancelLook = this.options.clock.after(
      lookInMs(looks),
      () => this.#closeWhenEmpty(looks + 1),
    );
  }

  /**
   * Where nobody is to be left, end whoever was found only now: of one that just becomes another
   * program the system tells nothing for a moment. Answers whether that is under way.
   */
  #endLate(leftovers: readonly Leftover[]): boolean {
    const { background } = this.options;
    if (background === "keep" || leftovers.length === 0 || this.#killing !== undefined) {
      return false;
    }
    void this.stop({ by: "stop" });
    return true;
  }

  #over(): void {
    this.#closed = true;
    this.#cancelLook();
    this.letGo();
    this.#finish();
  }

  #tellClosed(leftovers: readonly Leftover[]): void {
    const { commandId } = this.options;
    this.subscriber.next({ type: "execution.closed", commandId, leftovers });
    this.subscriber.complete();
  }

  /** It could not start. */
  protected fail(reason: string): void {
    this.sink?.end();
    this.#finish();
    this.subscriber.next({
      type: "execution.failed",
      commandId: this.options.commandId,
      reason,
    });
    this.subscriber.complete();
  }

  #hasLeft(): boolean {
    if (this.tree === undefined) return false;
    if (this.ended && !this.mayHaveLeft() && !this.othersMayLive()) return false;
    return this.tree.survey().length > 0;
  }

  /** A look through the process table, only where somebody can be left. */
  #leftovers(): readonly Leftover[] {
    const { tree } = this;
    if (tree === undefined) return [];
    const sure = !this.ended || this.#hadLeftovers || this.mayHaveLeft();
    if (!sure && !this.othersMayLive()) return [];
    const members = sure ? tree.survey() : tree.members();
    this.#hadLeftovers = members.length > 0;
    return this.describe(members);
  }
}
