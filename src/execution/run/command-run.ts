import type { Subscriber } from "rxjs";
import type { CommandId, Limits } from "../../event/command.ts";
import type {
  ExecutionEvent,
  ExecutionResized,
  ExecutionWaitingForInput,
  ExecutionWentOn,
  Outcome,
  ShellAfter,
} from "../../event/execution.ts";
import type { Leftover } from "../../event/leftover.ts";
import type { CancelTimer } from "../../platform/clock.ts";
import type { ExitStatus, Processes } from "../../platform/process/processes.ts";
import type { TerminalSize } from "../../platform/terminal/terminals.ts";
import type { ByteSinks } from "../../stream/bytes.ts";
import type { ExecutorMessage } from "../executor.ts";
import { lookUntil } from "../tree/look-until.ts";
import { drain } from "./drain.ts";
import { InputQueue } from "./input-queue.ts";
import { Leftovers } from "./leftovers.ts";
import { RunLimits } from "./limits.ts";
import { outcomeOf, type Stop } from "./outcome.ts";
import { OutputFlow } from "./output-flow.ts";
import type { RunBody } from "./run-body.ts";
import { Stopping, type StoppingOptions } from "./stopping.ts";

/** What each run needs from outside. */
export interface CommandRunOptions extends Omit<StoppingOptions, "onSignal"> {
  readonly commandId: CommandId;
  readonly limits: Limits;
  readonly subscriber: Subscriber<ExecutionEvent>;
  readonly processes: Processes;
  /** What becomes of the processes that a command leaves behind; default `keep`. */
  readonly background?: "keep" | "end" | undefined;
}

/** How a command ended. */
export interface RunExit {
  readonly status: ExitStatus;
  /** Where the status alone does not say how it ended. */
  readonly outcome?: Outcome;
  /** From start to end, in milliseconds; absent: until the answer. */
  readonly durationMs?: number;
  readonly shell?: ShellAfter;
  /** The log has its `execution.exited`. */
  readonly announced?: true;
}

/**
 * The life of one command, whatever runs it: it starts, writes, takes messages, exits, and is closed
 * when every process of it has ended.
 */
export class CommandRun {
  readonly commandId: CommandId;
  /** Resolves when the run is over. */
  readonly finished: Promise<void>;
  readonly #options: CommandRunOptions;
  readonly #output: OutputFlow;
  readonly #stopping: Stopping;
  readonly #signals = new Set<string>();
  #body: RunBody | undefined;
  #leftovers: Leftovers | undefined;
  #limits: RunLimits | undefined;
  #input: InputQueue | undefined;
  #startedAt = 0;
  #exit: RunExit | undefined;
  #answered = false;
  #closed = false;
  #cancelWait: CancelTimer = () => {};
  #finish: () => void = () => {};

  constructor(options: CommandRunOptions) {
    const { commandId, subscriber } = options;
    this.commandId = commandId;
    this.#options = options;
    this.#output = new OutputFlow({
      onHold: (held) => this.#limits?.hold(held),
      onRefused: () => void this.stop({ by: "outputLimit" }),
    });
    this.#stopping = new Stopping({
      ...options,
      onSignal: (signal, by) =>
        subscriber.next({ type: "execution.stopping", commandId, by, signal }),
    });
    this.finished = new Promise((resolve) => (this.#finish = resolve));
  }

  /** Whether it is to be ended. */
  get stopping(): boolean {
    return this.#stopping.cause !== undefined;
  }

  // Start

  /** Open the sink; answers whether the command is still wanted. */
  open(sinks: ByteSinks): boolean {
    this.#output.open(this.commandId, sinks);
    return this.wanted();
  }

  /** Whether the command is still wanted; if not, the run is over, and nothing may be started. */
  wanted(): boolean {
    if (!this.#options.subscriber.closed) return true;
    this.#output.end();
    this.#over();
    return false;
  }

  /**
   * The command runs.
   *
   * @param announcement The event that says so; absent: the log has it.
   */
  started(body: RunBody, announcement: ExecutionEvent | undefined): void {
    const { clock, limits, subscriber } = this.#options;
    this.#body = body;
    this.#leftovers = new Leftovers(body);
    this.#input = body.input && new InputQueue(body.input);
    this.#output.connect(body.output);
    this.#startedAt = clock.monotonic();
    if (announcement !== undefined) subscriber.next(announcement);
    this.#limits = new RunLimits({ clock, limits, reached: (stop) => void this.stop(stop) });
    this.#limits.hold(this.#output.held);
    // It was stopped while it was being started.
    const { cause } = this.#stopping;
    if (cause !== undefined) void this.stop(cause);
  }

  /** It could not start. */
  failed(reason: string): void {
    const { commandId } = this;
    const { subscriber } = this.#options;
    this.#output.end();
    this.#over();
    subscriber.next({ type: "execution.failed", commandId, reason });
    subscriber.complete();
  }

  // Bytes

  /** The chunk is valid only during this call. */
  data(chunk: Uint8Array): void {
    this.#limits?.byteCame();
    this.#output.write(chunk);
  }

  /** No process holds the output any more, or it was released. */
  outputEnded(): void {
    this.#output.end();
    this.#body?.tree.outputEnded();
    if (this.#exit !== undefined && !this.#closed) this.#settle();
  }

  // Messages

  /** Answers whether the message was taken. */
  send(message: ExecutorMessage): boolean {
    if (this.#closed) return false;
    switch (message.type) {
      case "stop":
        void this.stop({ by: message.by });
        return true;
      case "signal": {
        const sent = this.#body?.signal(message.signal) ?? false;
        if (sent) this.#signals.add(message.signal);
        return sent;
      }
      case "input":
        return this.#input?.write(message) ?? false;
      case "resize":
        return this.#resize(message);
    }
  }

  /** The words of the processes that read its input. */
  readers(): readonly (readonly string[])[] {
    const { processes } = this.#options;
    const body = this.#body;
    const pids = body?.readers?.() ?? body?.tree.membersNow().map(({ pid }) => pid) ?? [];
    return pids.map((pid) => processes.argv(pid));
  }

  #resize({ columns, rows }: TerminalSize): boolean {
    const taken = this.#body?.resize?.({ columns, rows }) ?? false;
    const { commandId } = this;
    if (taken) {
      this.report({ type: "execution.resized", commandId, columns, rows, at: this.#output.total });
    }
    return taken;
  }

  /** Emit what happens to it between its start and its end. */
  report(event: ExecutionResized | ExecutionWaitingForInput | ExecutionWentOn): void {
    if (this.#exit === undefined && !this.#closed) this.#options.subscriber.next(event);
  }

  /**
   * End the command, or what it left, by the kill protocol; the first cause decides the outcome.
   *
   * @returns The survivors, once the protocol is over.
   */
  stop(stop: Stop): Promise<readonly Leftover[]> {
    if (this.#exit === undefined) this.#stopping.because(stop);
    const body = this.#body;
    if (body === undefined || this.#closed) return NO_SURVIVORS;
    // A command that its reader holds back cannot end while it waits for room in the pipe.
    this.#output.resume();
    const again = this.#stopping.begun;
    const survivors = this.#stopping.end(body.tree, stop);
    if (!again) {
      survivors.then((members) => this.#ended(members.length), (cause) => this.#broke(cause));
    }
    return survivors.then((members) => body.describe(members), () => []);
  }

  /** After the kill protocol, survivors hold the answer back no longer. */
  #ended(survivors: number): void {
    this.#output.resume(true);
    if (survivors > 0) {
      this.#exit ??= { status: { code: null, signal: null } };
      this.#output.release();
    }
    if (this.#exit !== undefined && !this.#closed) this.#settle();
  }

  #broke(cause: unknown): void {
    this.#over();
    this.#options.subscriber.error(cause);
  }

  // Exit

  /** How the command ended; its background processes may still write. */
  exited(exit: RunExit): void {
    if (this.#closed) return;
    this.#exit = exit;
    this.#limits?.lift();
    this.#input?.end();
    this.#stopping.lookNow();
    this.#endsLate(this.#options.background === "end" ? this.#findLeftovers(true) : []);
    this.#settle();
  }

  /** Answer once the output has ended or is quiet, and nothing is being ended any more; then close. */
  #settle(): void {
    if (this.#stopping.underWay) return;
    this.#cancelWait();
    if (this.#output.ended) return this.#answered ? this.#closeWhenGone() : this.#answer();
    const { clock, processes } = this.#options;
    // A table from before the exit does not show which processes the exit has woken.
    const earlier = processes.lastTable();
    this.#cancelWait = drain({
      clock,
      total: () => this.#output.total,
      held: () => this.#output.held,
      writersAtWork: () =>
        processes.table() === earlier ||
        (this.#body?.tree.members().some(({ state }) => state === "R" || state === "D") ?? false),
      done: () => this.#answered ? this.#output.release() : this.#answer(),
    });
  }

  #answer(): void {
    if (this.#answered || this.#exit === undefined) return;
    this.#cancelWait();
    const leftovers = this.#findLeftovers();
    if (this.#endsLate(leftovers)) return;
    this.#answered = true;
    // Before the event: its readers may let the same shell run the next command.
    const over = this.#output.ended && leftovers.length === 0 && !this.#stopping.begun;
    if (over) this.#over();
    if (!this.#exit.announced) {
      this.#options.subscriber.next(this.#exitEvent(this.#exit, leftovers));
    }
    if (over) this.#emitClosed(leftovers);
    else if (this.#output.ended) this.#closeWhenGone();
    // All known processes were ended, and one that the system hides still holds the output, such as
    // a program that gives its user other rights.
    else if (this.#stopping.over) this.#output.release();
  }

  #exitEvent({ status, shell, ...exit }: RunExit, leftovers: readonly Leftover[]): ExecutionEvent {
    const { commandId } = this;
    const sent = { stop: this.#stopping.cause, signals: this.#signals };
    const outcome = exit.outcome ?? this.#body?.outcome?.(status, sent) ?? outcomeOf(status, sent);
    if (outcome.type === "lost") {
      return { type: "task.lost", commandId, reason: outcome.reason, leftovers };
    }
    const { durationMs = this.#options.clock.monotonic() - this.#startedAt } = exit;
    return {
      type: "execution.exited",
      commandId,
      outcome,
      durationMs: Math.max(0, Math.round(durationMs)),
      leftovers,
      ...(shell !== undefined && { shell }),
    };
  }

  // Close

  /** Background processes whose output is elsewhere belong to the command until they end. */
  #closeWhenGone(): void {
    this.#cancelWait();
    this.#cancelWait = lookUntil(this.#options.clock, () => {
      if (this.#closed || this.#stopping.underWay) return true;
      const leftovers = this.#findLeftovers();
      if (leftovers.length > 0 && !this.#stopping.over) return this.#endsLate(leftovers);
      this.#over();
      this.#emitClosed(leftovers);
      return true;
    });
  }

  /**
   * Where no process is to be left, end what was found only now: of one that just becomes another
   * program the system shows nothing for a moment. Answers whether that is under way.
   */
  #endsLate(leftovers: readonly Leftover[]): boolean {
    const keeps = this.#options.background !== "end" || leftovers.length === 0;
    if (keeps || this.#stopping.begun) return false;
    void this.stop({ by: "stop" });
    return true;
  }

  /** Follow it no more; its processes go on. */
  abandon(): void {
    this.#limits?.lift();
    this.#over();
  }

  #findLeftovers(surely = false): readonly Leftover[] {
    return this.#leftovers?.find(this.#output.ended, surely) ?? [];
  }

  #over(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#cancelWait();
    this.#body?.released?.();
    this.#finish();
  }

  #emitClosed(leftovers: readonly Leftover[]): void {
    const { commandId } = this;
    this.#options.subscriber.next({ type: "execution.closed", commandId, leftovers });
    this.#options.subscriber.complete();
  }
}

const NO_SURVIVORS: Promise<readonly Leftover[]> = Promise.resolve([]);
