import type { Subscriber } from "rxjs";
import type { CommandId } from "../event/command.ts";
import type { Invocation } from "../event/env.ts";
import { endsCommand } from "../event/event.ts";
import type { ExecutionEvent, Outcome } from "../event/execution.ts";
import type { ExecutorMessage } from "../execution/executor.ts";
import { RunLimits } from "../execution/run/limits.ts";
import { OutputFlow } from "../execution/run/output-flow.ts";
import { outcomeOf, type Stop } from "../execution/run/outcome.ts";
import type { CancelTimer, Clock } from "../platform/clock.ts";
import type { ByteSinks } from "../stream/bytes.ts";
import type { RecordedStep, Recording } from "./recording.ts";

/** What a recording is played for. */
export interface PlayOptions {
  readonly commandId: CommandId;
  readonly invocation: Pick<Invocation, "limits" | "input" | "split" | "terminal">;
  readonly clock: Clock;
  readonly sinks: ByteSinks;
  readonly subscriber: Subscriber<ExecutionEvent>;
  /** Called when nothing more follows; idempotent. */
  readonly over: () => void;
}

/** Does what a recording holds, step after step, each at its time. */
export class Play {
  readonly #steps: readonly RecordedStep[];
  readonly #options: PlayOptions;
  readonly #takesInput: boolean;
  #index = 0;
  /** When the recording would have begun; later by the time for which it waited for input. */
  #start: number;
  #startedAt: number;
  readonly #output: OutputFlow;
  #refused = false;
  /** What was written, and the recording has not come to yet. */
  #inputs = 0;
  #limits: RunLimits | undefined;
  #cancel: CancelTimer = () => {};

  constructor({ steps }: Recording, options: PlayOptions) {
    const { invocation: { input, terminal }, clock } = options;
    this.#steps = steps;
    this.#options = options;
    this.#takesInput = input === true || terminal !== undefined;
    this.#start = this.#startedAt = clock.monotonic();
    this.#output = new OutputFlow({
      onHold: (held) => {
        this.#limits?.hold(held);
        // Not within the write that this answers.
        if (!held) queueMicrotask(() => this.advance());
      },
      onRefused: () => this.#refuse(),
    });
  }

  /** Do what is due; the first steps, which took no time, at once. */
  advance(): void {
    const { clock, subscriber } = this.#options;
    this.#cancel();
    while (!subscriber.closed && !this.#refused) {
      const step = this.#steps[this.#index];
      if (step === undefined) {
        this.#lose();
        this.finish();
        return subscriber.complete();
      }
      const waitMs = this.#start + step.atMs - clock.monotonic();
      if (waitMs > 0) {
        this.#cancel = clock.after(waitMs, () => this.advance());
        return;
      }
      if (step.type === "bytes" && this.#output.held) return;
      if (step.type === "input" && this.#takesInput && !this.#takeInput(step.atMs)) return;
      this.#index++;
      if (step.type === "event") this.#emit(step.event);
      else if (step.type === "bytes") {
        this.#limits?.byteCame();
        this.#output.write(step.bytes, this.#options.invocation.split && step.stream);
      }
    }
  }

  /** Answers as a real command does whether a message is taken; a signal and a size change nothing. */
  take(message: ExecutorMessage): boolean {
    switch (message.type) {
      case "stop":
        this.stop({ by: message.by });
        return true;
      case "input":
        this.#inputs++;
        // After the event that says so.
        queueMicrotask(() => this.advance());
        message.written?.();
        return true;
      case "signal":
        return !this.#hasEnded;
      case "resize":
        return !this.#hasEnded && this.#options.invocation.terminal !== undefined;
    }
  }

  /** End it before its recorded end, as the polite signal would. */
  stop(stop: Stop): void {
    const { commandId, clock, subscriber } = this.#options;
    const ended = this.#hasEnded;
    this.finish();
    if (!ended) {
      const signal = "SIGTERM";
      const durationMs = Math.round(clock.monotonic() - this.#startedAt);
      subscriber.next({ type: "execution.stopping", commandId, by: stop.by, signal });
      subscriber.next({
        type: "execution.exited",
        commandId,
        outcome: outcomeOf({ code: null, signal }, { stop }),
        durationMs,
        leftovers: [],
      });
    }
    subscriber.next({ type: "execution.closed", commandId, leftovers: [] });
    subscriber.complete();
  }

  /** Do nothing more. Idempotent. */
  finish(): void {
    this.#cancel();
    this.#limits?.lift();
    this.#options.over();
    this.#output.end();
  }

  get #hasEnded(): boolean {
    const past = this.#steps.slice(0, this.#index);
    return past.some((step) => step.type === "event" && endsCommand(step.event));
  }

  /** Its host was killed, or it was recorded while it ran. */
  #lose(): void {
    if (this.#hasEnded) return;
    const { commandId, subscriber } = this.#options;
    subscriber.next({ type: "task.lost", commandId, reason: "Its recording ends while it runs" });
    subscriber.next({ type: "execution.closed", commandId, leftovers: [] });
  }

  #emit(event: ExecutionEvent): void {
    if (event.type === "execution.started") {
      this.#startedAt = this.#options.clock.monotonic();
      this.#output.open(this.#options.commandId, this.#options.sinks);
      this.#limit();
    }
    if (endsCommand(event)) this.#limits?.lift();
    this.#options.subscriber.next({ ...asReplayed(event), commandId: this.#options.commandId });
  }

  #limit(): void {
    const { clock, invocation: { limits } } = this.#options;
    this.#limits = new RunLimits({
      clock,
      limits,
      reached: (stop) => {
        if (!this.#records(stop)) this.stop(stop);
      },
    });
    this.#limits.hold(this.#output.held);
  }

  /** While it waits for input, no limit applies: a clock that jumps would reach it at once. */
  #takeInput(atMs: number): boolean {
    if (this.#inputs === 0) {
      this.#limits?.lift();
      this.#limits = undefined;
      return false;
    }
    this.#inputs--;
    this.#start = this.#options.clock.monotonic() - atMs;
    if (this.#limits === undefined) this.#limit();
    return true;
  }

  #refuse(): void {
    const stop: Stop = { by: "outputLimit" };
    if (this.#records(stop)) return;
    this.#refused = true;
    queueMicrotask(() => {
      if (!this.#options.subscriber.closed) this.stop(stop);
    });
  }

  /** Whether the recording ends by the same limit: it shows what followed that. */
  #records(stop: Stop): boolean {
    const outcome = outcomeOf({ code: null, signal: null }, { stop });
    return this.#steps.some((step) =>
      step.type === "event" && step.event.type === "execution.exited" &&
      isSame(step.event.outcome, outcome)
    );
  }
}

function isSame(one: Outcome, other: Outcome): boolean {
  return one.type === other.type &&
    ("limitMs" in one && one.limitMs) === ("limitMs" in other && other.limitMs);
}

/** No process of the recording exists here: its pids would be those of strangers. */
function asReplayed(event: ExecutionEvent): ExecutionEvent {
  if (event.type !== "execution.started") return event;
  const { type, commandId, reset, terminal } = event;
  const shell = { ...(reset && { reset }), ...(terminal && { terminal }) };
  return { type, commandId, executor: "replay", pid: 0, ...shell };
}
