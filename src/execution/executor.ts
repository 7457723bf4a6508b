import type { Observable } from "rxjs";
import type { CommandId, SessionId, StopCause } from "../event/command.ts";
import type { Invocation } from "../event/env.ts";
import type { ExecutionEvent } from "../event/execution.ts";
import type { Leftover } from "../event/leftover.ts";
import type { DirectoryCheck } from "../platform/file/directories.ts";
import type { Sandbox } from "../platform/process/containment.ts";
import type { DetachedIdentity } from "../platform/process/detached/detached-files.ts";
import type { TerminalSize } from "../platform/terminal/terminals.ts";
import type { ScreenModes } from "../screen/modes.ts";
import type { ScreenSnapshot } from "../screen/snapshot.ts";
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
  /** The two outputs of a command can be kept apart; absent: they cannot. */
  readonly splits?: boolean;
  /** A command can have the standard input of this process; absent: none can. */
  readonly inherits?: boolean;
  /** What commands can do; absent: what this user can. */
  readonly sandbox?: Sandbox;
}

/** A message to a running command. */
export type ExecutorMessage =
  /** End it by the kill protocol. */
  | { readonly type: "stop"; readonly by: StopCause }
  | { readonly type: "signal"; readonly signal: string }
  /** Write to its standard input, or type on its terminal. */
  | InputMessage
  /** Change the size of its terminal. */
  | { readonly type: "resize"; readonly columns: number; readonly rows: number };

/** Input for a running command. */
export interface InputMessage {
  readonly type: "input";
  /** They must not change afterwards. */
  readonly bytes: Uint8Array;
  /** Nothing follows. */
  readonly end?: boolean;
  /** Called once, if the message was taken: the system has the bytes, or never gets them all. */
  readonly written?: (failure?: Error) => void;
}

/** The screen of a running command. */
export interface LiveScreen {
  readonly modes: ScreenModes;
  readonly size: TerminalSize;
  snapshot(options?: { readonly styled?: boolean }): ScreenSnapshot;
}

/**
 * Why a session gives its shell up: the session closed, nothing used the shell, or the running
 * command went to the background and keeps the shell.
 */
export type ReleaseCause = "closed" | "idle" | "promoted";

/** A detached process of an earlier host, as the log of that host describes it. */
export interface Adoption extends DetachedIdentity {
  readonly commandId: CommandId;
  readonly log: string;
  readonly pidFile: string;
  /** When it started, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** What that host has sent it. */
  readonly sent?: {
    readonly stop?: { readonly by: StopCause };
    readonly signals?: readonly string[];
  };
  /** The log has its `execution.exited`, and no `execution.closed`. */
  readonly ended?: boolean;
}

/**
 * Runs commands of one kind; every adapter passes the contract suite in `test/execution/contract.ts`.
 *
 * An adapter makes a {@linkcode CommandRun} for each command, starts whatever runs the command, and
 * hands over a {@linkcode RunBody}: the tree of its processes, the source of its bytes, how it takes a
 * signal, input and a new size, and the signs by which leftovers are known. It then reports bytes,
 * the end of the output and the exit to the run, which does everything else: limits, pauses, the
 * kill protocol, the drain, leftovers, and the events in their order. `process/process-executor.ts` is the
 * shortest example.
 */
export interface Executor {
  readonly name: string;
  readonly capabilities: ExecutorCapabilities;
  /** Why commands cannot run in a directory; absent: where this machine has none. */
  readonly checkDirectory?: DirectoryCheck;
  /**
   * Start a command when subscribed, and emit the events of its life.
   *
   * Emits `execution.started` (or `execution.failed`, and completes), then steps of the kill protocol,
   * then `execution.exited`, then `execution.closed`, and completes. The sink is opened before the
   * first byte and has every byte that belongs to an event before that event is emitted.
   * Unsubscribing before `execution.started` means that nothing runs; after it, the command is ended
   * without further events.
   */
  run(commandId: CommandId, invocation: Invocation, sinks: ByteSinks): Observable<ExecutionEvent>;
  /**
   * Follow a detached command of an earlier host, when subscribed; only for executors that detach.
   *
   * Emits `task.adopted` when it still runs, and then, or at once, `execution.exited` (unless the log
   * has that) or `task.lost` when nothing says how it ended, then `execution.closed`, and completes.
   */
  adopt?(adoption: Adoption): Observable<ExecutionEvent>;
  /**
   * Say why an invocation for a persistent shell cannot run in that shell; `undefined` when it can.
   * Nothing of the command was sent by then.
   */
  refuses?(invocation: Invocation): string | undefined;
  /**
   * Get ready what an invocation needs, and say why it cannot run here; `undefined` when it can. Nothing
   * of the command was sent by then.
   */
  prepare?(invocation: Invocation): Promise<string | undefined>;
  /**
   * The processes that read the input of a running command, by their words: the foreground process
   * group of its terminal, or all of its processes; `undefined` when that is not known.
   */
  readers?(commandId: CommandId): readonly (readonly string[])[] | undefined;
  /** What the terminal of a running command shows, and its modes; `undefined` when it has none. */
  screen?(commandId: CommandId): LiveScreen | undefined;
  /** Send a message to a running command; answers whether it was taken. */
  send(commandId: CommandId, message: ExecutorMessage): boolean;
  /**
   * End what a command that has exited left behind: known leftovers, and processes that carry
   * nothing but its mark.
   *
   * @returns The survivors, once the kill protocol is over.
   */
  sweep?(commandId: CommandId): Promise<readonly Leftover[]>;
  /**
   * Free the shell of a session; only for executors that are persistent.
   *
   * After `closed`, a session of the same name starts afresh. After `idle` and `promoted`, the next
   * command of the session starts another shell, which gets the directory and the exported variables;
   * its `execution.started` says what was lost. After `promoted` the running command keeps its shell,
   * which ends with it.
   */
  release?(sessionId: SessionId, why: ReleaseCause): void;
  /** End whatever still runs or is held, and release everything. */
  close(): Promise<void>;
}
