import type { Observable } from "rxjs";
import type { CommandAdmitted, CommandId, SessionId, StopCause } from "../event/command.ts";
import { closesCommand, endsCommand, type Recorded, type RuntimeEvent } from "../event/event.ts";
import type { Leftover } from "../event/leftover.ts";
import type { EventLog } from "../event/log/log.ts";
import type { Executor, ExecutorCapabilities } from "../execution/executor.ts";
import type { Haste } from "../execution/tree/haste.ts";
import type { PromotionCause } from "../event/task.ts";
import { NoticeBoard, type Notices } from "../notification/notice-board.ts";
import { outputTail } from "./call/output-tail.ts";
import type { ByteLog } from "../output/byte-log.ts";
import type { ByteLogs } from "../output/byte-logs.ts";
import type { Range } from "../output/range.ts";
import type { ReadResult } from "../output/read/read-log.ts";
import type { Clock } from "../platform/clock.ts";
import type { Ids } from "../platform/ids.ts";
import { absolutePath } from "../platform/file/paths.ts";
import type { Processes } from "../platform/process/processes.ts";
import { sessions, type SessionTable } from "../session/sessions.ts";
import type { Task } from "../task/task.ts";
import { tasks, type TaskTable } from "../task/tasks.ts";
import { Answers } from "./call/answers.ts";
import type { Judges } from "./judges.ts";
import { LiveProjection } from "./live.ts";
import type { Earlier, Recovery } from "./state/recovery.ts";
import { Promotions } from "./call/promotions.ts";
import type { OpenRecorded, Outputs } from "./call/read-output.ts";
import { Readers, type ReadTaskOptions } from "./call/readers.ts";
import { checkDetach, checkRequest, type RunOptions } from "./call/request.ts";
import { type LimitDefaults, requested } from "./call/requested.ts";
import { resultOf, type RunResult } from "./call/result.ts";
import { noSuchTask, TaskCalls } from "./call/task-calls.ts";
import type { CloseOptions, OpenSessionOptions, Running, Runtime } from "./runtime.ts";
import { SessionPool, type SessionPoolOptions } from "./session/session-pool.ts";

/** The parts that a runtime is composed of. */
export interface HostParts {
  readonly id: string;
  readonly cwd: string;
  readonly limits: LimitDefaults;
  readonly clock: Clock;
  /** Calls once everything that had happened to processes has been told. */
  readonly caughtUp: Processes["caughtUp"];
  readonly ids: Ids;
  readonly log: EventLog;
  readonly logs: ByteLogs;
  readonly executor: Executor;
  /** Ends the grace of what is being ended. */
  readonly haste: Haste;
  readonly judges: Judges;
  readonly sessions: Omit<
    SessionPoolOptions,
    "cwd" | "clock" | "ids" | "executor" | "pipeline"
  >;
  readonly pipeline: (events: Observable<CommandAdmitted>) => Observable<RuntimeEvent>;
  /** Opens what the log on disk holds of a task's output. */
  readonly recorded?: OpenRecorded;
  /** Resolves when what was recorded survives a loss of power. */
  readonly intend?: () => Promise<void>;
  /** What the log told before. */
  readonly earlier?: Earlier;
  /** Called last when the runtime closes. */
  readonly release?: () => Promise<void>;
}

/** Holds the sessions and the projections of a runtime together. */
export class Host implements Runtime {
  readonly id: string;
  readonly capabilities: ExecutorCapabilities;
  readonly events: Observable<Recorded>;
  readonly tasks: LiveProjection<TaskTable>;
  readonly sessions: LiveProjection<SessionTable>;
  readonly notices: Notices;
  readonly #parts: HostParts;
  readonly #pool: SessionPool;
  readonly #calls: TaskCalls;
  readonly #answers: Answers = new Answers((task) => this.#result(task));
  readonly #promotions: Promotions;
  readonly #readers: Readers;
  readonly #board: NoticeBoard;
  readonly #outputs: Outputs;
  #closing: Promise<void> | undefined;

  constructor(parts: HostParts) {
    this.id = parts.id;
    this.capabilities = parts.executor.capabilities;
    this.tasks = new LiveProjection(tasks, parts.earlier?.tasks);
    this.sessions = new LiveProjection(sessions, parts.earlier?.sessions);
    this.#parts = parts;
    const { log, cwd, clock, ids, executor, pipeline } = parts;
    this.#pool = new SessionPool({ ...parts.sessions, cwd, clock, ids, executor, pipeline }, {
      record: (event) => void log.append(event),
      table: () => this.sessions.current,
    });
    this.#calls = new TaskCalls({
      executor,
      record: (event) => void log.append(event),
      table: () => this.tasks.current,
    });
    const { recorded } = parts;
    this.#outputs = { tasks: this.tasks, output: (taskId) => this.output(taskId), recorded };
    this.#readers = new Readers({
      outputs: this.#outputs,
      clock,
      record: (event) => void log.append(event),
      earlier: parts.earlier?.reading,
    });
    this.#board = new NoticeBoard({
      nonce: ids.next("notice"),
      record: (event) => void log.append(event),
      flush: parts.intend ?? (() => Promise.resolve()),
      tailOf: (taskId) => outputTail(this.#outputs, clock, taskId),
      earlier: parts.earlier?.notices,
    });
    this.notices = this.#board.notices;
    this.#promotions = new Promotions({
      clock,
      caughtUp: parts.caughtUp,
      promote: (commandId) => this.#calls.letGo(commandId, "timeout"),
    });
    this.events = parts.log.read();
    parts.log.appended.subscribe({
      next: (recorded) => this.#happened(recorded),
      complete: () => {
        this.tasks.complete();
        this.sessions.complete();
        this.#board.complete();
      },
    });
  }

  async run(command: string, options: RunOptions = {}): Promise<RunResult> {
    return await this.start(command, options).result;
  }

  start(command: string, options: RunOptions = {}): Running {
    checkRequest(command, options);
    checkDetach(options, this.#parts.executor.capabilities.detaches);
    if (this.#closing !== undefined) {
      throw new Error(`Cannot run "${command}": the runtime is closed`);
    }
    const { ids, judges, limits, logs } = this.#parts;
    const judge = options.permission && judges.read(options.permission);
    const { session, single, placed } = this.#pool.seat(options);
    const commandId = ids.next("task");
    const request = requested(command, options, {
      commandId,
      sessionId: session.id,
      cwd: placed ? undefined : options.cwd,
      limits,
    });
    const aborted = options.signal?.aborted === true;
    const onAbort = () => void this.#calls.end(commandId, "abort");
    this.#calls.add(commandId, session);
    judge?.(commandId);
    const result = this.#answers.expect(
      commandId,
      () => options.signal?.removeEventListener("abort", onAbort),
    );
    const output = new Promise<ByteLog | undefined>((resolve) => {
      const forget = logs.whenOpen(commandId, resolve);
      void result.then(() => {
        forget();
        resolve(logs.get(commandId));
      });
    });
    if (!aborted) options.signal?.addEventListener("abort", onAbort, { once: true });
    session.send({
      type: "run",
      request,
      ...(aborted && { cancelledBy: "abort" }),
      ...(options.overlap === "reject" && { unlessBusy: true }),
    });
    if (single) {
      session.send({ type: "close", reason: "Its only command ended", now: false });
    }
    return {
      taskId: commandId,
      sessionId: session.id,
      result,
      output,
      stop: (by = "stop") => void this.#calls.end(commandId, by),
    };
  }

  /** Tell what became of what an earlier host left, and go on with what still runs. */
  recover({ events, adoptions }: Recovery): void {
    const { log, executor } = this.#parts;
    for (const event of events) log.append(event);
    for (const adoption of adoptions) {
      executor.adopt?.(adoption).subscribe((event) => void log.append(event));
    }
  }

  output(taskId: CommandId): ByteLog | undefined {
    return this.#parts.logs.get(taskId);
  }

  read(taskId: CommandId, options: ReadTaskOptions = {}): Promise<ReadResult> {
    return this.#readers.read(taskId, options);
  }

  unread(taskId: CommandId, reader: string): Range {
    return this.#readers.unread(taskId, reader);
  }

  stop(taskId: CommandId, by: StopCause = "stop"): Promise<readonly Leftover[]> {
    return this.#calls.stop(taskId, by);
  }

  seen(taskId: CommandId, reader: string, to: number): void {
    this.#readers.seen(taskId, reader, to);
  }

  promote(taskId: CommandId, by: PromotionCause = "user"): void {
    this.#calls.promote(taskId, by);
  }

  wait(taskId: CommandId): Promise<RunResult> {
    const task = this.tasks.current.byId.get(taskId);
    if (task === undefined) return Promise.reject(noSuchTask("wait for", taskId));
    return this.#answers.wait(task);
  }

  signal(taskId: CommandId, signal: string): void {
    this.#calls.signal(taskId, signal);
  }

  openSession(sessionId: SessionId, { cwd, reset }: OpenSessionOptions): void {
    if (this.#closing !== undefined) {
      throw new Error(`Cannot open session "${sessionId}": the runtime is closed`);
    }
    if (this.#pool.get(sessionId) !== undefined) return;
    this.#pool.open(sessionId, absolutePath(this.#parts.cwd, cwd));
    if (reset !== undefined) this.#parts.log.append({ type: "session.reset", sessionId, ...reset });
  }

  closeSession(sessionId: SessionId): void {
    this.#pool.get(sessionId)?.send({ type: "close", reason: "It was closed", now: false });
  }

  async flush(): Promise<void> {
    await this.#parts.logs.flushed();
    await this.#parts.log.flush();
  }

  close({ now = false }: CloseOptions = {}): Promise<void> {
    if (now) this.#parts.haste.begin();
    return this.#closing ??= this.#close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    this.#pool.close();
    await this.#parts.executor.close();
    await this.#parts.logs.close();
    await this.#parts.log.close();
    await this.#parts.release?.();
  }

  #happened(recorded: Recorded): void {
    this.tasks.next(recorded);
    this.sessions.next(recorded);
    this.#readers.next(recorded);
    this.#board.next(recorded);
    const { event } = recorded;
    const commandId = "commandId" in event ? event.commandId : undefined;
    this.#pool.next(event, commandId === undefined ? undefined : this.#calls.sessionOf(commandId));
    if (commandId === undefined) return;
    // Kept for as long as processes of it may be stopped.
    if (closesCommand(event)) this.#calls.forget(commandId);
    this.#promotions.next(event);
    if (endsCommand(event)) this.#parts.judges.forget(commandId);
    const released = event.type === "task.promoted" || event.type === "task.detached";
    if (!endsCommand(event) && !released) return;
    const task = this.tasks.current.byId.get(commandId);
    if (task !== undefined) this.#answers.next(task);
  }

  /** Where it ran, or its session stands when its turn never came. */
  #cwdOf({ cwd, sessionId }: Task): string {
    return cwd ?? this.sessions.current.byId.get(sessionId)?.cwd ?? this.#parts.cwd;
  }

  async #result(task: Task): Promise<RunResult> {
    const { logs, clock } = this.#parts;
    const letGo = logs.retain(task.id);
    try {
      const log = logs.get(task.id);
      // Whoever is told of a file finds everything in it.
      if (log?.path !== undefined) await log.flushed();
      // Whoever was told of a process that outlives us finds it in the log. A failure of the log is told elsewhere.
      if (task.detached !== undefined) await this.#parts.log.flush().catch(() => {});
      return resultOf({ task, log, cwd: this.#cwdOf(task), now: clock.now() });
    } finally {
      letGo();
    }
  }
}
