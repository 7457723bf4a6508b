import type { Observable } from "rxjs";
import type { CommandId, SessionId, StopCause } from "../event/command.ts";
import type { Invocation } from "../event/env.ts";
import type { ExecutionEvent } from "../event/execution.ts";
import type { Leftover } from "../event/leftover.ts";
import type { DetachedIdentity } from "../platform/process/detached/detached-files.ts";
import type { ByteSinks } from "../stream/bytes.ts";

/** What an executor can and cannot do. */
export interface ExecutorCapabilities {
  /** Commands have a terminal. */
  readonly terminal: boolean;
  /** Commands take input. */
  readonly input: boolean;
  /** Shell state lasts from one command to the next. */
  readonly persistent: boolean;
  /** Commands can outlive the host. */
  readonly detaches: boolean;
}

/** What a running command can be told. */
export type ExecutorMessage =
  | { readonly type: "stop"; readonly by: StopCause }
  | { readonly type: "signal"; readonly signal: string };

/** Why a session needs its shell no more. */
export type ReleaseCause = "closed" | "idle" | "promoted";

/** A process that an earlier host started on its own, as its log tells. */
export interface Adoption extends DetachedIdentity {
  readonly commandId: CommandId;
  readonly log: string;
  readonly pidFile: string;
  /** When it started, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** Its end was told, and not yet that nobody is left of it. */
  readonly ended?: boolean;
}

/** Runs commands; every adapter passes the same contract suite. */
export interface Executor {
  readonly name: string;
  readonly capabilities: ExecutorCapabilities;
  /**
   * Start a command when subscribed, and tell of its life.
   *
   * Emits `execution.started` (or `execution.failed`, and completes), then steps of the kill protocol,
   * then `execution.exited`, then `execution.closed`, and completes. The sink is opened before the
   * first byte and has every byte that belongs to an event before that event is emitted.
   * Unsubscribing before `execution.started` means that nothing runs; after it, that nobody listens:
   * the command is ended without a word.
   */
  run(commandId: CommandId, invocation: Invocation, sinks: ByteSinks): Observable<ExecutionEvent>;
  /**
   * Tell how a detached command of an earlier host goes on, when subscribed; only for executors that
   * detach.
   *
   * Emits `task.adopted` when it still runs, and then, or at once, `execution.exited` unless that
   * was told, and `execution.closed` when nobody is left, or `task.lost` when nothing tells how it
   * ended; and completes.
   */
  adopt?(adoption: Adoption): Observable<ExecutionEvent>;
  /**
   * Tell why a command for a shell that lives on cannot run in that shell, before anything of it was
   * sent there; `undefined` when it can. Only for executors that are persistent.
   */
  serves?(invocation: Invocation): string | undefined;
  /** Tell a running command something; answers whether it was still there to be told. */
  send(commandId: CommandId, message: ExecutorMessage): boolean;
  /**
   * End what a command, which is over, left without a trace but its mark.
   *
   * @returns Who lives on all the same; settled once nobody is being ended any more.
   */
  sweep?(commandId: CommandId): Promise<readonly Leftover[]>;
  /**
   * Free the shell of a session; only for executors that are persistent.
   *
   * With a session that is `closed` goes everything that is known of its shell: one of the same name
   * begins afresh. One that was `idle` goes on: its next command starts a shell, which gets back what
   * can be restored, and `execution.started` tells what cannot.
   */
  release?(sessionId: SessionId, why: ReleaseCause): void;
  /** End whatever still runs or is held, and release everything. */
  close(): Promise<void>;
}
