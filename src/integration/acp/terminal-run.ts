import type { Subscriber } from "rxjs";
import type { CommandId, Limits, StopCause } from "../../event/command.ts";
import type { ExecutionEvent, Outcome } from "../../event/execution.ts";
import { RunLimits } from "../../execution/run/limits.ts";
import { outcomeOf, type Stop } from "../../execution/run/outcome.ts";
import type { CancelTimer, Clock } from "../../platform/clock.ts";
import { messageOf } from "../../platform/failure.ts";
import type { ByteSink, ByteSinks } from "../../stream/bytes.ts";
import type { ClientTerminal, TerminalExit, TerminalSnapshot } from "./client-terminals.ts";
import { exitStatusOf } from "./exit-status.ts";
import { NewOutput } from "./new-output.ts";

/** How long the client may take to report the exit after a kill, and to give the last output. */
const ANSWER_MS = 2_000;
/** How long the end of a command waits for its terminal to be released. */
const RELEASE_MS = 1_000;
/** Reading a silent command becomes rarer, up to so many times the usual delay. */
const SLOWEST = 10;

/** What the run of one command needs. */
export interface TerminalRunOptions {
  readonly commandId: CommandId;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly pollMs: number;
  readonly sinks: ByteSinks;
  readonly subscriber: Subscriber<ExecutionEvent>;
  /** What is said when it cannot start. */
  readonly failure: (cause: unknown) => string;
  /** Sends `terminal/create`. */
  readonly create: () => Promise<ClientTerminal>;
}

/** How a command ended, as far as the client says it. */
type End = { readonly exit: TerminalExit } | { readonly lost: string } | "unknown";

/** The life of one command in a terminal of the client. */
export class TerminalRun {
  /** Resolves when the terminal was released, or the client had its time to do that. */
  readonly finished: Promise<void>;
  #finish: () => void = () => {};
  readonly #options: TerminalRunOptions;
  readonly #sink: ByteSink;
  readonly #encoder = new TextEncoder();
  readonly #output = new NewOutput();
  /** Why it is ended: the first cause decides. */
  #cause: Stop | undefined;
  #terminal: ClientTerminal | undefined;
  #limits: RunLimits | undefined;
  #waitFailed = false;
  #exited = false;
  #end: (end: End) => void = () => {};
  #cancelPoll: CancelTimer = () => {};
  #cancelKill: CancelTimer = () => {};

  constructor(options: TerminalRunOptions) {
    const { commandId, sinks, subscriber } = options;
    this.#options = options;
    this.#sink = sinks.open(commandId, {
      // The client keeps so little that no reader has to be waited for.
      pause: () => {},
      resume: () => {},
      end: () => this.stop({ by: "outputLimit" }),
    });
    this.finished = new Promise((resolve) => this.#finish = resolve);
    this.#live().catch((cause) => subscriber.error(cause)).finally(this.#finish);
  }

  /** End it: the client kills it, and what it printed is read; answers whether it had not ended yet. */
  stop(stop: Stop): boolean {
    if (this.#exited) return false;
    const isFirst = this.#cause === undefined;
    this.#cause ??= stop;
    if (isFirst) this.#kill(stop.by);
    return true;
  }

  /** Its caller is gone: it ends without further events. */
  abandon(): void {
    this.stop({ by: "abort" });
  }

  async #live(): Promise<void> {
    const { commandId, clock, limits, subscriber, failure } = this.#options;
    let terminal: ClientTerminal;
    try {
      terminal = checked(await this.#options.create());
    } catch (cause) {
      return this.#fail(failure(cause));
    }
    this.#cancelKill();
    if (subscriber.closed) return await this.#discard(terminal);
    const cause = this.#cause;
    this.#terminal = terminal;
    const startedAt = clock.monotonic();
    const ended = new Promise<End>((resolve) => this.#end = resolve);
    subscriber.next({
      type: "execution.started",
      commandId,
      executor: "acp",
      pid: 0,
      terminalId: terminal.id,
    });
    this.#limits = new RunLimits({ clock, limits, reached: (stop) => void this.stop(stop) });
    this.#follow(terminal);
    if (cause !== undefined) this.#kill(cause.by);
    const end = await ended;
    this.#exited = true;
    this.#limits.lift();
    this.#cancelPoll();
    this.#cancelKill();
    if (!subscriber.closed) this.#write(await this.#lastOutput(terminal, end));
    this.#sink.end();
    subscriber.next(this.#ending(end, clock.monotonic() - startedAt));
    await this.#within(RELEASE_MS, () => terminal.release());
    subscriber.next({ type: "execution.closed", commandId, leftovers: [] });
    subscriber.complete();
  }

  #fail(reason: string): void {
    const { commandId, subscriber } = this.#options;
    this.#exited = true;
    this.#sink.end();
    subscriber.next({ type: "execution.failed", commandId, reason });
    subscriber.complete();
  }

  /** It is no longer wanted: what the client has started meanwhile must not go on. */
  async #discard(terminal: ClientTerminal): Promise<void> {
    await this.#within(RELEASE_MS, () => terminal.kill());
    await this.#within(RELEASE_MS, () => terminal.release());
  }

  // The exit

  #follow(terminal: ClientTerminal): void {
    // A client may leave the request to wait unanswered, and report the exit with the output.
    call(() => terminal.waitForExit()).then(
      (exit) => this.#end({ exit: exit ?? {} }),
      () => {
        this.#waitFailed = true;
        this.#poll(terminal, SLOWEST);
      },
    );
    this.#pollLater(terminal, 1);
  }

  #kill(by: StopCause): void {
    const { commandId, clock, subscriber, failure } = this.#options;
    const terminal = this.#terminal;
    if (terminal === undefined) {
      // It is killed as soon as there is something to kill; the end does not wait for that for long.
      this.#cancelKill = clock.after(RELEASE_MS, () => {
        this.#fail(failure(`the client had not answered when it was stopped (${by})`));
        this.#finish();
      });
      return;
    }
    subscriber.next({ type: "execution.stopping", commandId, by, signal: "terminal/kill" });
    call(() => terminal.kill()).catch(() => {}); // releasing the terminal kills as well
    this.#pollLater(terminal, 1);
    this.#cancelKill = clock.after(ANSWER_MS, () => this.#end("unknown"));
  }

  #ending(end: End, durationMs: number): ExecutionEvent {
    const { commandId } = this.#options;
    if (end !== "unknown" && "lost" in end) {
      return { type: "task.lost", commandId, reason: end.lost, leftovers: [] };
    }
    const status = exitStatusOf(end === "unknown" ? {} : end.exit);
    const outcome = outcomeOf(status, { stop: this.#cause });
    return {
      type: "execution.exited",
      commandId,
      outcome: outcome.type === "unknown" ? unknown(end) : outcome,
      durationMs: Math.round(durationMs),
      leftovers: [],
    };
  }

  // The output

  #pollLater(terminal: ClientTerminal, slowness: number): void {
    const { clock, pollMs } = this.#options;
    this.#cancelPoll();
    this.#cancelPoll = clock.after(pollMs * slowness, () => this.#poll(terminal, slowness));
  }

  #poll(terminal: ClientTerminal, slowness: number): void {
    this.#cancelPoll();
    call(() => terminal.currentOutput()).then(readable).then(
      (snapshot) => {
        if (this.#exited) return;
        const hasMore = this.#write(this.#output.take(snapshot));
        if (snapshot.exitStatus) return this.#end({ exit: snapshot.exitStatus });
        this.#pollLater(terminal, hasMore ? 1 : Math.min(slowness * 2, SLOWEST));
      },
      (cause) => {
        if (this.#waitFailed) return this.#end({ lost: lostReason(cause) });
        if (!this.#exited) this.#pollLater(terminal, SLOWEST);
      },
    ).catch((cause) => this.#options.subscriber.error(cause));
  }

  async #lastOutput(terminal: ClientTerminal, end: End): Promise<string> {
    if (end !== "unknown" && "lost" in end) return this.#output.lose();
    const snapshot = await this.#within(ANSWER_MS, () => terminal.currentOutput());
    try {
      return this.#output.take(readable(snapshot), true);
    } catch {
      return this.#output.lose();
    }
  }

  #write(text: string): boolean {
    if (text === "") return false;
    this.#limits?.byteCame();
    this.#sink.write(this.#encoder.encode(text));
    return true;
  }

  /** What a request answers; `undefined` when it fails, or takes longer. */
  #within<T>(ms: number, request: () => Promise<T>): Promise<T | undefined> {
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(ms, () => resolve(undefined));
      call(request).catch(() => undefined).then((answer) => {
        cancel();
        resolve(answer);
      });
    });
  }
}

/** Make a request; what it throws is a rejection as well. */
async function call<T>(request: () => Promise<T>): Promise<T> {
  return await request();
}

function checked(terminal: ClientTerminal): ClientTerminal {
  if (typeof terminal?.id === "string" && terminal.id !== "") return terminal;
  throw new Error("the client answered without the id of a terminal");
}

function readable(snapshot: TerminalSnapshot | undefined): TerminalSnapshot {
  if (typeof snapshot?.output === "string") return snapshot;
  throw new Error("the client answered without output");
}

function lostReason(cause: unknown): string {
  return `The client no longer answers for the terminal: ${messageOf(cause)}`;
}

function unknown(end: End): Outcome {
  const reason = end === "unknown"
    ? `The client did not report its end within ${ANSWER_MS / 1_000} s after terminal/kill`
    : "The client reported neither a code nor a signal";
  return { type: "unknown", reason };
}
