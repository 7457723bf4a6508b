/// <reference lib="esnext.disposable" preserve="true" />
import type { CommandId, SessionId, StopCause } from "../event/command.ts";
import type { ShellReset } from "../event/execution.ts";
import type { Leftover } from "../event/leftover.ts";
import type { Projection } from "../event/project.ts";
import type { PromotionCause } from "../event/task.ts";
import type { ExecutorCapabilities } from "../execution/executor.ts";
import type { Notices } from "../notification/notice-board.ts";
import type { TaskOutput } from "../output/byte-log.ts";
import type { ByteRange } from "../stream/byte-range.ts";
import type { ReadResult } from "../output/read/read-bytes.ts";
import type { ScreenSnapshot } from "../screen/snapshot.ts";
import type { Clock } from "../platform/clock.ts";
import type { SessionTable } from "../session/sessions.ts";
import type { TaskTable } from "../task/tasks.ts";
import type { EventStream } from "./event-stream.ts";
import type { Live } from "./live.ts";
import type { ReadTaskOptions } from "./output/readers.ts";
import type { RunOptions } from "./call/request.ts";
import type { RunResult } from "./call/result.ts";
import type { Spawning } from "../platform/process/processes.ts";
import type { TerminalSize } from "../platform/terminal/terminals.ts";
import type { CommandInput, InputOptions } from "./terminal/command-input.ts";
import type { ScreenOptions } from "./terminal/screens.ts";

/** A command that was started, or waits for its turn. */
export interface Running {
  readonly taskId: CommandId;
  readonly sessionId: SessionId;
  /** How it ended, or that it was promoted; a failed command is a result, not a rejection. */
  readonly result: Promise<RunResult>;
  /** Its bytes, once it runs; resolves with `undefined` when it never will. */
  readonly output: Promise<TaskOutput | undefined>;
  /** End it, whatever state it is in, and the processes that it left behind. */
  stop(by?: StopCause): void;
}

/** How a session begins. */
export interface OpenSessionOptions {
  /** Its first directory, absolute or relative to that of the runtime, which is the default. */
  readonly cwd?: string;
  /** It goes on from an earlier one of its name, without what is lost of that. */
  readonly reset?: ShellReset;
}

/** How the end of a task is waited for. */
export interface WaitOptions {
  /** Ends the wait, which rejects with its reason; the command goes on. */
  readonly signal?: AbortSignal;
}

/** How a runtime is closed. */
export interface CloseOptions {
  /** End what runs by KILL, without a grace; also while a close goes on that gave one. */
  readonly now?: boolean;
}

/** Runs commands, and records everything that happens. */
export interface Runtime {
  /** Names this runtime; part of the mark that its processes carry. */
  readonly id: string;
  /** The time of its timers and events. */
  readonly clock: Clock;
  /** What its commands can do. */
  readonly capabilities: ExecutorCapabilities;
  /** How its processes are started, and why it is the slower way where it is that. */
  readonly spawning: Spawning;
  /**
   * The events that memory holds, before `subscribe` returns, then each new one: an observable and,
   * for `for await`, an async iterable, which throws when it falls behind by more events than memory
   * holds (20 000).
   */
  readonly events: EventStream;
  /** The tasks, kept up to date. */
  readonly tasks: Live<TaskTable>;
  /** The sessions, kept up to date. */
  readonly sessions: Live<SessionTable>;
  /** What happened to commands in the background, until it is acknowledged. */
  readonly notices: Notices;
  /**
   * Keep a projection of your own up to date, from the first event that memory holds.
   *
   * @example Count the commands that failed
   * ```ts
   * import { createRuntime, type Projection } from "shellflow";
   *
   * const failed: Projection<number> = {
   *   name: "failed",
   *   initial: 0,
   *   evolve: (count, { event }) =>
   *     event.type === "execution.exited" && event.outcome.type !== "exited" ? count + 1 : count,
   * };
   * await using runtime = await createRuntime({ mode: "bypass" });
   * const live = runtime.project(failed);
   * await runtime.run("kill -9 $$");
   * if (live.current !== 1) throw new Error("unexpected");
   * ```
   *
   * @throws {TypeError} When it has no name or nothing that folds.
   */
  project<State>(projection: Projection<State>): Live<State>;
  /**
   * Run a command, and wait for its end.
   *
   * A denial, a timeout, a signal or a failed start are results, not errors.
   *
   * @param command The line, in bash.
   * @throws {RequestError} When a field of the request cannot be used; nothing has happened then.
   */
  run(command: string, options?: RunOptions): Promise<RunResult>;
  /** Start a command and answer at once, with its task. */
  start(command: string, options?: RunOptions): Running;
  /** The output of a task; `undefined` before it runs or long after its end. */
  output(taskId: CommandId): TaskOutput | undefined;
  /**
   * Read a task's output, wherever it is kept: in memory, in its file, or in that of a detached task.
   *
   * @throws {TypeError} When an option cannot be used.
   * @throws {Error} When there is no such task, or its bytes are not kept.
   */
  read(taskId: CommandId, options?: ReadTaskOptions): Promise<ReadResult>;
  /**
   * What a reader, by its name, has not read of a task so far; see {@linkcode Runtime.read}.
   *
   * @throws {TypeError} When the name cannot be used.
   * @throws {Error} When there is no such task.
   */
  unread(taskId: CommandId, reader: string): ByteRange;
  /**
   * Record that a reader has seen a task's output up to an offset, as from a result.
   *
   * @throws {TypeError} When the name cannot be used.
   */
  seen(taskId: CommandId, reader: string, to: number): void;
  /**
   * End a task, whatever state it is in, and the processes that it left behind. Idempotent.
   *
   * @returns The processes of it that cannot be ended, once the task has ended and no other is known.
   * @throws {Error} When there is no such task, it ended so long ago that it is forgotten, or the
   *   runtime closes before a detached task has ended.
   */
  stop(taskId: CommandId, by?: StopCause): Promise<readonly Leftover[]>;
  /**
   * End the wait for a task and let it go on; its `result` then says so, and {@linkcode Runtime.wait} the rest.
   *
   * @throws {Error} When there is no such task, or it ended so long ago that it is forgotten.
   */
  promote(taskId: CommandId, by?: PromotionCause): void;
  /**
   * Wait for the end of a task, promoted or not.
   *
   * @throws {TypeError} When an option cannot be used.
   * @throws {Error} When there is no such task, it ended so long ago that it is forgotten, or the
   *   runtime closes before a detached task has ended.
   */
  wait(taskId: CommandId, options?: WaitOptions): Promise<RunResult>;
  /**
   * Send a signal to the process group of a running task; if it ends the task, the outcome has `by: "user"`.
   *
   * @param signal Its name, such as `SIGINT`.
   * @throws {TypeError} When it is no signal of this system.
   * @throws {Error} When there is no such task, or it ended so long ago that it is forgotten.
   */
  signal(taskId: CommandId, signal: string): void;
  /**
   * Write to a running command that takes input: one with `input` or `pty`.
   *
   * Input of origin `model`, the default, is judged by the rules of the command: text for a shell or an
   * interpreter is a command. Of all input only the size is recorded, and of a password not even that.
   *
   * @param input Text as it is typed, keys such as `{ keys: "yes{enter}" }`, or bytes as they are.
   * @returns Resolves once the system has the bytes.
   * @throws {TypeError} When an argument cannot be used, or a modifier has no key, as in `{ctrl-no}`.
   * @throws {InputError} When the command does not get it; `refusal` says why.
   *
   * @example Answer a question
   * ```ts
   * import { createRuntime } from "shellflow";
   *
   * await using runtime = await createRuntime({ mode: "bypass" });
   * const { taskId, output, result } = runtime.start("read x; echo got $x", { input: true });
   * await output;
   * await runtime.input(taskId, "yes\n");
   * if ((await result).output !== "got yes\n") throw new Error("unexpected");
   * ```
   */
  input(taskId: CommandId, input: CommandInput, options?: InputOptions): Promise<void>;
  /**
   * Change the size of the terminal of a running command, in characters.
   *
   * @throws {TypeError} When it is larger than 500 x 200, or no size.
   * @throws {Error} When the task has no terminal now, or has ended.
   */
  resize(taskId: CommandId, size: TerminalSize): Promise<void>;
  /**
   * Look at the screen of a command's terminal, as it is now, was at its end, or was at an offset.
   *
   * @throws {TypeError} When an option cannot be used.
   * @throws {Error} When the task has no terminal, its output is not kept, or @xterm/headless is not
   *   installed.
   */
  screen(taskId: CommandId, options?: ScreenOptions): Promise<ScreenSnapshot>;
  /**
   * Open a session by name, before its first command; one that is open stays as it is.
   *
   * @throws {TypeError} When it is no name, or an option cannot be used.
   */
  openSession(sessionId: SessionId, options?: OpenSessionOptions): void;
  /** Let a session finish its queue and close it. */
  closeSession(sessionId: SessionId): void;
  /** Resolves when everything that happened so far survives this process, if there is a log on disk. */
  flush(): Promise<void>;
  /** End what runs, write what is to be written, and release everything. Idempotent. */
  close(options?: CloseOptions): Promise<void>;
  /** The same as {@linkcode Runtime.close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
