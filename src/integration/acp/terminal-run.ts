import type { Subscriber } from "rxjs";
import type { CommandId, Limits, StopCause } from "../../event/command.ts";
import type { ExecutionEvent, Outcome } from "../../event/execution.ts";
import { RunLimits } from "../../execution/run/limits.ts";
import { outcomeOf, type Stop } from "../../execution/run/outcome.ts";
import type { CancelTimer, Clock } from "../../platform/clock.ts";
import { messageOf } from "../../platform/failure.ts";
import type { ByteSinks } from "../../stream/bytes.ts";
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

/** How a command ended, as far as the client says it; neither: it does not. */
interface End {
  readonly exit?: TerminalExit;
  /** Why nothing more is known. */
  readonly lost?: string;
}

/** The run of one command in a terminal of the client. */
export interface TerminalRun {
  /** Resolves when the terminal was released, or the client had its time to do that. */
  readonly finished: Promise<void>;
  /** End it: the client kills it, and what it printed is read; answers whether it had not ended yet. */
  stop(stop: Stop): boolean;
}

/** Run a command in a terminal of the client. */
export function runInTerminal(options: TerminalRunOptions): TerminalRun {
  const { commandId, limits, clock, pollMs, sinks, subscriber, failure, create } = options;
  const output = new NewOutput();
  /** Why it is ended: the first cause decides. */
  let cause: Stop | undefined;
  let ended = false;
  let runLimits: RunLimits | undefined;
  let cancelPoll: CancelTimer = () => {};
  let cancelKill: CancelTimer = () => {};
  let kill: (by: StopCause) => void = () => {};

  const stop = (stop: Stop): boolean => {
    if (ended) return false;
    const isFirst = cause === undefined;
    cause ??= stop;
    if (isFirst) kill(stop.by);
    return true;
  };
  const sink = sinks.open(commandId, {
    // The client keeps so little that no reader has to be waited for.
    pause: () => {},
    resume: () => {},
    end: () => void stop({ by: "outputLimit" }),
  });
  const write = (text: string): boolean => {
    if (text === "") return false;
    runLimits?.byteCame();
    sink.write(new TextEncoder().encode(text));
    return true;
  };
  /** What a request answers; `undefined` when it fails, or takes longer. */
  const within = <T>(ms: number, request: () => Promise<T>): Promise<T | undefined> =>
    new Promise((resolve) => {
      const cancel = clock.after(ms, () => resolve(undefined));
      call(request).catch(() => undefined).then((answer) => {
        cancel();
        resolve(answer);
      });
    });
  /** It is no longer wanted: what the client has started must not go on. */
  const discard = async (terminal: ClientTerminal): Promise<void> => {
    await within(RELEASE_MS, () => terminal.kill());
    await within(RELEASE_MS, () => terminal.release());
  };

  /** Follow it to its end. */
  const endOf = (terminal: ClientTerminal): Promise<End> =>
    new Promise((resolve) => {
      let waitFailed = false;
      const pollLater = (slowness: number) => {
        cancelPoll();
        cancelPoll = clock.after(pollMs * slowness, () => poll(slowness));
      };
      const poll = (slowness: number) => {
        cancelPoll();
        call(() => terminal.currentOutput()).then(readable).then(
          (snapshot) => {
            if (ended) return;
            const hasMore = write(output.take(snapshot));
            if (snapshot.exitStatus) return resolve({ exit: snapshot.exitStatus });
            pollLater(hasMore ? 1 : Math.min(slowness * 2, SLOWEST));
          },
          (cause) => {
            if (waitFailed) return resolve({ lost: lostReason(cause) });
            if (!ended) pollLater(SLOWEST);
          },
        ).catch((cause) => subscriber.error(cause));
      };
      kill = (by) => {
        subscriber.next({ type: "execution.stopping", commandId, by, signal: "terminal/kill" });
        call(() => terminal.kill()).catch(() => {}); // releasing the terminal kills as well
        pollLater(1);
        cancelKill = clock.after(ANSWER_MS, () => resolve({}));
      };
      // A client may leave the request to wait unanswered, and report the exit with the output.
      call(() => terminal.waitForExit()).then(
        (exit) => resolve({ exit: exit ?? {} }),
        () => {
          waitFailed = true;
          poll(SLOWEST);
        },
      );
      pollLater(1);
      if (cause !== undefined) kill(cause.by);
    });

  const lastOutput = async (terminal: ClientTerminal): Promise<string> => {
    const snapshot = await within(ANSWER_MS, () => terminal.currentOutput());
    try {
      return output.take(readable(snapshot), true);
    } catch {
      return output.lose();
    }
  };

  const live = async (): Promise<void> => {
    const creating = call(create).then(checked);
    // The end does not wait long for a terminal that is killed as soon as there is one.
    const unanswered = new Promise<never>((_, reject) => {
      kill = (by) => {
        const why = new Error(`the client had not answered when it was stopped (${by})`);
        cancelKill = clock.after(RELEASE_MS, () => reject(why));
      };
    });
    let terminal: ClientTerminal;
    try {
      terminal = await Promise.race([creating, unanswered]);
    } catch (cause) {
      ended = true;
      creating.then(discard, () => {});
      sink.end();
      subscriber.next({ type: "execution.failed", commandId, reason: failure(cause) });
      return subscriber.complete();
    }
    cancelKill();
    if (subscriber.closed) return await discard(terminal);
    const startedAt = clock.monotonic();
    const { id: terminalId } = terminal;
    const started = { type: "execution.started", commandId, executor: "acp" } as const;
    subscriber.next({ ...started, pid: 0, terminalId });
    runLimits = new RunLimits({ clock, limits, reached: stop });
    const end = await endOf(terminal);
    ended = true;
    runLimits.lift();
    cancelPoll();
    cancelKill();
    if (!subscriber.closed) {
      write(end.lost === undefined ? await lastOutput(terminal) : output.lose());
    }
    sink.end();
    const durationMs = Math.round(clock.monotonic() - startedAt);
    subscriber.next(
      end.lost === undefined
        ? {
          type: "execution.exited",
          commandId,
          outcome: outcomeAt(end, cause),
          durationMs,
          leftovers: [],
        }
        : { type: "task.lost", commandId, reason: end.lost, leftovers: [] },
    );
    await within(RELEASE_MS, () => terminal.release());
    subscriber.next({ type: "execution.closed", commandId, leftovers: [] });
    subscriber.complete();
  };
  return { finished: live().catch((cause) => subscriber.error(cause)), stop };
}

function outcomeAt({ exit }: End, cause: Stop | undefined): Outcome {
  const outcome = outcomeOf(exitStatusOf(exit ?? {}), { stop: cause });
  if (outcome.type !== "unknown") return outcome;
  const reason = exit === undefined
    ? `The client did not report its end within ${ANSWER_MS / 1_000} s after terminal/kill`
    : "The client reported neither a code nor a signal";
  return { type: "unknown", reason };
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
