import type { Subscriber } from "rxjs";
import type { CommandId } from "../event/command.ts";
import type { Invocation } from "../event/env.ts";
import type { ExecutionEvent, Leftover } from "../event/execution.ts";
import type { CancelTimer, Clock } from "../platform/clock.ts";
import type { Contain } from "../platform/process/containment.ts";
import type { ChildProcess, ExitStatus, Processes } from "../platform/process/processes.ts";
import type { ByteSink, ByteSinks } from "../stream/bytes.ts";
import { drain } from "./drain.ts";
import { killTree } from "./kill.ts";
import { outcomeOf, type Stop } from "./outcome.ts";
import { MARK, ProcessTree } from "./process-tree.ts";

/** How soon background processes are looked for again, in milliseconds; the pause doubles up to the longest. */
const FIRST_LOOK_MS = 100;
const LONGEST_LOOK_MS = 2_000;

/** What a run needs from outside. */
export interface ProcessRunOptions {
  readonly commandId: CommandId;
  readonly invocation: Invocation;
  readonly processes: Processes;
  readonly clock: Clock;
  readonly sinks: ByteSinks;
  readonly graceMs: number;
  /** What the mark of this command is to be. */
  readonly mark: string;
  /** The marks of a runtime that this one runs in, which stay beside ours. */
  readonly outerMark: string | undefined;
  /** What becomes of the processes that a command leaves behind. */
  readonly background: "keep" | "end";
  /** Puts the process into a container. */
  readonly contain: Contain | undefined;
  /** Called once when the process has started, as the leader of a group. */
  readonly onGroup: (group: number) => void;
  /** Called once when the group has ended, and its number may come to belong to others. */
  readonly onGroupGone: (group: number) => void;
  /** Called before the end of the run is told, so that whoever hears of it finds nothing to stop. */
  readonly onFinished: () => void;
}

/** One process from its start until nobody holds its output. */
export class ProcessRun {
  readonly #options: ProcessRunOptions;
  readonly #subscriber: Subscriber<ExecutionEvent>;
  #sink: ByteSink | undefined;
  #child: ChildProcess | undefined;
  #tree: ProcessTree | undefined;
  #stop: Stop | undefined;
  #killing: Promise<unknown> | undefined;
  #killOver = false;
  #status: ExitStatus | undefined;
  #startedAt = 0;
  #total = 0;
  #ended = false;
  #answered = false;
  #closed = false;
  #groupGone = false;
  #paused = false;
  #timers: CancelTimer[] = [];
  #cancelSilence: CancelTimer = () => {};
  #lastByteAt = 0;
  #cancelDrain: CancelTimer = () => {};
  #cancelLook: CancelTimer = () => {};
  #hadLeftovers = false;
  readonly #finished: Promise<void>;
  #finish: () => void = () => {};

  constructor(subscriber: Subscriber<ExecutionEvent>, options: ProcessRunOptions) {
    this.#subscriber = subscriber;
    this.#options = options;
    this.#finished = new Promise((resolve) => {
      this.#finish = () => {
        options.onFinished();
        resolve();
      };
    });
  }

  /** Resolves when the run is over. */
  get finished(): Promise<void> {
    return this.#finished;
  }

  start(): void {
    const { commandId, processes, clock, sinks, mark } = this.#options;
    this.#sink = sinks.open(commandId, {
      pause: () => this.#pause(),
      resume: () => this.#resume(),
      end: () => void this.stop({ by: "outputLimit" }),
    });
    if (this.#subscriber.closed) {
      this.#sink.end();
      return this.#finish();
    }
    const child = this.#spawn();
    if (child === undefined) return;
    this.#child = child;
    this.#options.onGroup(child.pid);
    if (this.#paused) child.pause();
    const root = {
      pid: child.pid,
      ...(child.startTime === undefined ? {} : { startTime: child.startTime }),
    };
    const pipe = child.outputPipe;
    this.#tree = new ProcessTree(processes, {
      root,
      isMark: (word) => word === mark,
      ...(pipe === undefined ? {} : { isOutput: (link) => link === pipe }),
    });
    this.#startedAt = this.#lastByteAt = clock.monotonic();
    this.#subscriber.next({
      type: "execution.started",
      commandId,
      executor: "process",
      ...root,
      group: child.pid,
    });
    this.#limit();
    // Asked for while the sink was being opened.
    if (this.#stop !== undefined) void this.stop(this.#stop);
  }

  #spawn(): ChildProcess | undefined {
    const { invocation, processes, mark, outerMark, contain } = this.#options;
    const spec = {
      file: invocation.file,
      args: invocation.args,
      cwd: invocation.cwd,
      env: {
        ...invocation.env.reveal(),
        [MARK]: outerMark === undefined ? mark : `${outerMark} ${mark}`,
      },
    };
    try {
      return processes.spawn(contain?.(spec) ?? spec, {
        data: (chunk) => this.#data(chunk),
        end: () => this.#end(),
        exit: (status) => this.#exit(status),
        error: (cause) => this.#fail(cause),
      });
    } catch (cause) {
      this.#fail(cause instanceof Error ? cause : new Error(String(cause)));
      return undefined;
    }
  }

  /** End the command by the kill protocol; the first cause is the one that is told. */
  stop(stop: Stop): Promise<unknown> {
    const { clock, graceMs, commandId } = this.#options;
    if (this.#status === undefined) this.#stop ??= stop;
    if (this.#tree === undefined || this.#closed) return Promise.resolve();
    // A command that its reader holds back cannot end while it waits for room in the pipe.
    this.#resume();
    const { by } = this.#stop ?? stop;
    return this.#killing ??= killTree(this.#tree, clock, {
      graceMs,
      onSignal: (signal) =>
        this.#subscriber.next({ type: "execution.stopping", commandId, by, signal }),
    }).then((survivors) => this.#killed(survivors.length), (cause) => {
      this.#finish();
      this.#subscriber.error(cause);
    });
  }

  /** Send a signal to the group. */
  signal(name: string): boolean {
    return this.#tree?.signalGroup(name) ?? false;
  }

  #limit(): void {
    const { clock, processes, invocation: { limits } } = this.#options;
    const { timeoutMs, idleTimeoutMs } = limits;
    if (timeoutMs !== undefined) {
      this.#timers.push(clock.after(timeoutMs, () =>
        processes.caughtUp(() => {
          if (this.#status === undefined) void this.stop({ by: "timeout", limitMs: timeoutMs });
        })));
    }
    if (idleTimeoutMs !== undefined) this.#limitSilence(idleTimeoutMs, idleTimeoutMs);
  }

  /** One timer that looks when the silence could be over at the earliest, instead of one for each chunk. */
  #limitSilence(limitMs: number, waitMs: number): void {
    const { clock, processes } = this.#options;
    const leftMs = () =>
      this.#paused ? limitMs : Math.ceil(this.#lastByteAt + limitMs - clock.monotonic());
    const look = () => {
      if (this.#status !== undefined) return;
      const left = leftMs();
      if (left > 0) this.#limitSilence(limitMs, left);
      else void this.stop({ by: "idle", limitMs });
    };
    this.#cancelSilence = clock.after(
      waitMs,
      () => leftMs() > 0 ? look() : processes.caughtUp(look),
    );
  }

  #data(chunk: Uint8Array): void {
    this.#total += chunk.length;
    if (this.#options.invocation.limits.idleTimeoutMs !== undefined) {
      this.#lastByteAt = this.#options.clock.monotonic();
    }
    this.#sink?.write(chunk);
  }

  #pause(): void {
    // What is left then is no more than a pipe holds, and nobody would wait for it.
    if (this.#killOver) return;
    this.#paused = true;
    this.#child?.pause();
  }

  #resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#lastByteAt = this.#options.clock.monotonic();
    this.#child?.resume();
  }

  #end(): void {
    this.#ended = true;
    this.#tree?.outputEnded();
    this.#sink?.end();
    if (this.#answered) this.#closeWhenEmpty(0);
    else if (this.#status !== undefined) this.#settle();
  }

  #exit(status: ExitStatus): void {
    this.#status = status;
    for (const cancel of this.#timers) cancel();
    this.#timers = [];
    this.#cancelSilence();
    this.#tree?.leaderEnded();
    this.#noteGroup();
    // The status is known: to end what is left changes nothing about the outcome.
    if (this.#options.background === "end" && this.#hasLeft()) void this.stop({ by: "stop" });
    this.#settle();
  }

  /** The process has ended: answer once its output has, or is quiet, and nothing is being ended any more. */
  #settle(): void {
    if (this.#killing !== undefined && !this.#killOver) return;
    this.#cancelDrain();
    if (this.#ended) return this.#answer();
    const { clock, processes } = this.#options;
    this.#cancelDrain = drain({
      clock,
      caughtUp: processes.caughtUp,
      total: () => this.#total,
      held: () => this.#paused,
      writersAtWork: () =>
        this.#tree?.members().some(({ state }) => state === "R" || state === "D") ?? false,
      done: () => this.#answer(),
    });
  }

  #answer(): void {
    if (this.#answered || this.#status === undefined) return;
    this.#answered = true;
    this.#cancelDrain();
    const { commandId, clock } = this.#options;
    this.#subscriber.next({
      type: "execution.exited",
      commandId,
      outcome: outcomeOf(this.#status, this.#stop),
      durationMs: Math.round(clock.monotonic() - this.#startedAt),
      leftovers: this.#leftovers(),
    });
    if (this.#ended) this.#closeWhenEmpty(0);
  }

  /** After the kill protocol: whatever survived holds the answer back no longer. */
  #killed(survivors: number): void {
    this.#killOver = true;
    this.#resume();
    if (survivors > 0) {
      this.#status ??= { code: null, signal: null };
      if (!this.#ended) this.#child?.release();
    }
    if (this.#status === undefined) return;
    if (this.#answered) this.#closeWhenEmpty(0);
    else this.#settle();
  }

  /** Background processes may live on with their output elsewhere; they are of the command until they end. */
  #closeWhenEmpty(looks: number): void {
    if (this.#closed || !this.#ended || (this.#killing !== undefined && !this.#killOver)) return;
    const leftovers = this.#leftovers();
    this.#noteGroup();
    if (leftovers.length === 0 || this.#killOver) return this.#close(leftovers);
    this.#cancelLook();
    const { clock } = this.#options;
    const waitMs = Math.min(LONGEST_LOOK_MS, FIRST_LOOK_MS * 2 ** looks);
    this.#cancelLook = clock.after(waitMs, () => this.#closeWhenEmpty(looks + 1));
  }

  #close(leftovers: readonly Leftover[]): void {
    this.#closed = true;
    this.#cancelLook();
    this.#dropGroup();
    const { commandId } = this.#options;
    this.#finish();
    this.#subscriber.next({ type: "execution.closed", commandId, leftovers });
    this.#subscriber.complete();
  }

  #fail(cause: Error): void {
    const { commandId, invocation } = this.#options;
    this.#sink?.end();
    this.#finish();
    this.#subscriber.next({
      type: "execution.failed",
      commandId,
      reason: `Cannot start "${invocation.file}" in "${invocation.cwd}": ${cause.message}`,
    });
    this.#subscriber.complete();
  }

  /** Let go of the group as soon as it is gone, though processes that left it may live on for long. */
  #noteGroup(): void {
    if (this.#tree?.groupAlive === false) this.#dropGroup();
  }

  #dropGroup(): void {
    if (this.#groupGone || this.#child === undefined) return;
    this.#groupGone = true;
    this.#options.onGroupGone(this.#child.pid);
  }

  #hasLeft(): boolean {
    const tree = this.#tree;
    if (tree === undefined || (this.#ended && !tree.groupAlive)) return false;
    return tree.members().length > 0;
  }

  /** A look through the process table, only where somebody can be left. */
  #leftovers(): readonly Leftover[] {
    const tree = this.#tree;
    if (tree === undefined || (this.#ended && !this.#hadLeftovers && !tree.groupAlive)) return [];
    const members = tree.members();
    this.#hadLeftovers = members.length > 0;
    return tree.describe(members);
  }
}
