import type { Observable } from "rxjs";
import type {
  CommandAdmitted,
  CommandId,
  CommandRequested,
  SessionId,
  StopCause,
} from "../event/command.ts";
import { EnvValues } from "../event/env-values.ts";
import { endsCommand, type Recorded, type RuntimeEvent } from "../event/event.ts";
import type { EventLog } from "../event/log/log.ts";
import type { Executor } from "../execution/executor.ts";
import type { Haste } from "../execution/tree/haste.ts";
import type { ByteLog } from "../output/byte-log.ts";
import type { ByteLogs } from "../output/byte-logs.ts";
import type { Clock } from "../platform/clock.ts";
import type { Ids } from "../platform/ids.ts";
import { absolutePath } from "../platform/file/paths.ts";
import type { Processes } from "../platform/process/processes.ts";
import type { Session } from "../session/session.ts";
import { sessions, type SessionTable } from "../session/sessions.ts";
import type { Task } from "../task/task.ts";
import { tasks, type TaskTable } from "../task/tasks.ts";
import { Answers } from "./call/answers.ts";
import type { Judges } from "./judges.ts";
import { LiveProjection } from "./live.ts";
import type { Earlier, Recovery } from "./state/recovery.ts";
import {
  checkDetach,
  checkRequest,
  type LimitDefaults,
  limitsOf,
  type RunOptions,
} from "./call/request.ts";
import { Promotions } from "./call/promotions.ts";
import { checkCause, checkSignal, noSuchTask } from "./call/task-call.ts";
import { resultOf, type RunResult } from "./call/result.ts";
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
  /** What the log told before. */
  readonly earlier?: Earlier;
  /** Called last when the runtime closes. */
  readonly release?: () => Promise<void>;
}

/** Where a command is to run. */
interface RequestPlace extends Pick<CommandRequested, "commandId" | "sessionId"> {
  /** As it was asked for, if it is not where the session stands. */
  readonly cwd: string | undefined;
}

/** Holds the sessions and the projections of a runtime together. */
export class Host implements Runtime {
  readonly id: string;
  readonly events: Observable<Recorded>;
  readonly tasks: LiveProjection<TaskTable>;
  readonly sessions: LiveProjection<SessionTable>;
  readonly #parts: HostParts;
  readonly #pool: SessionPool;
  readonly #sessionOf = new Map<CommandId, Session>();
  readonly #answers: Answers = new Answers((task) => this.#result(task));
  readonly #promotions: Promotions;
  #closing: Promise<void> | undefined;

  constructor(parts: HostParts) {
    this.id = parts.id;
    this.tasks = new LiveProjection(tasks, parts.earlier?.tasks);
    this.sessions = new LiveProjection(sessions, parts.earlier?.sessions);
    this.#parts = parts;
    const { log, cwd, clock, ids, executor, pipeline } = parts;
    this.#pool = new SessionPool({ ...parts.sessions, cwd, clock, ids, executor, pipeline }, {
      record: (event) => void log.append(event),
      table: () => this.sessions.current,
    });
    this.#promotions = new Promotions({
      clock,
      caughtUp: parts.caughtUp,
      promote: (commandId) =>
        this.#sessionOf.get(commandId)?.send({ type: "promote", commandId, by: "timeout" }),
    });
    this.events = parts.log.read();
    parts.log.appended.subscribe({
      next: (recorded) => this.#happened(recorded),
      complete: () => {
        this.tasks.complete();
        this.sessions.complete();
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
    const { ids, judges, logs } = this.#parts;
    const judge = options.permission && judges.read(options.permission);
    const { session, single, placed } = this.#pool.seat(options);
    const commandId = ids.next("task");
    const request = this.#request(command, options, {
      commandId,
      sessionId: session.id,
      cwd: placed ? undefined : options.cwd,
    });
    const aborted = options.signal?.aborted === true;
    const onAbort = () => this.#stop(commandId, "abort");
    this.#sessionOf.set(commandId, session);
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
      stop: (by = "stop") => {
        checkCause(commandId, by);
        this.#stop(commandId, by);
      },
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

  stop(taskId: CommandId, by: StopCause = "stop"): void {
    checkCause(taskId, by);
    this.#known("stop", taskId);
    this.#stop(taskId, by);
  }

  #stop(taskId: CommandId, by: StopCause): void {
    const session = this.#sessionOf.get(taskId);
    if (session !== undefined) session.send({ type: "cancel", commandId: taskId, by });
    // The session of an adopted one ended with its host.
    else this.#parts.executor.send(taskId, { type: "stop", by });
  }

  promote(taskId: CommandId): void {
    this.#known("promote", taskId);
    this.#sessionOf.get(taskId)?.send({ type: "promote", commandId: taskId, by: "user" });
  }

  wait(taskId: CommandId): Promise<RunResult> {
    const task = this.tasks.current.byId.get(taskId);
    if (task === undefined) return Promise.reject(noSuchTask("wait for", taskId));
    return this.#answers.wait(task);
  }

  signal(taskId: CommandId, signal: string): void {
    checkSignal(taskId, signal);
    const task = this.#known("signal", taskId);
    if (task?.detached === undefined) {
      this.#sessionOf.get(taskId)?.send({ type: "signal", commandId: taskId, signal });
    } else if (this.#parts.executor.send(taskId, { type: "signal", signal })) {
      this.#parts.log.append({ type: "command.signalled", commandId: taskId, signal });
    }
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

  /** The task, unless it is remembered no more though its processes live; throws when there is none. */
  #known(what: string, taskId: CommandId): Task | undefined {
    const task = this.tasks.current.byId.get(taskId);
    if (task === undefined && !this.#sessionOf.has(taskId)) throw noSuchTask(what, taskId);
    return task;
  }

  #request(
    command: string,
    options: RunOptions,
    { commandId, sessionId, cwd }: RequestPlace,
  ): CommandRequested {
    const { origin = "model", description, env, executor, owner, detach } = options;
    return {
      type: "command.requested",
      commandId,
      sessionId,
      command,
      origin,
      limits: limitsOf(command, options, this.#parts.limits),
      ...(description !== undefined && { description }),
      ...(cwd !== undefined && { cwd }),
      ...(env !== undefined && { env: new EnvValues(env) }),
      ...(executor !== undefined && { executor }),
      ...(owner !== undefined && { owner }),
      ...(detach === true && { detach }),
    };
  }

  #happened(recorded: Recorded): void {
    this.tasks.next(recorded);
    this.sessions.next(recorded);
    const { event } = recorded;
    const commandId = "commandId" in event ? event.commandId : undefined;
    this.#pool.next(event, commandId === undefined ? undefined : this.#sessionOf.get(commandId));
    if (commandId === undefined) return;
    // Kept for as long as processes of it may be stopped.
    if (endsForGood(event)) this.#sessionOf.delete(commandId);
    this.#promotions.next(event);
    if (endsCommand(event)) this.#parts.judges.forget(commandId);
    const released = event.type === "task.promoted" || event.type === "task.detached";
    if (!endsCommand(event) && !released) return;
    const task = this.tasks.current.byId.get(commandId);
    if (task !== undefined) this.#answers.next(task);
  }

  async #result(task: Task): Promise<RunResult> {
    const log = this.#parts.logs.get(task.id);
    // Whoever is told of a file finds everything in it.
    if (log?.path !== undefined) await log.flushed();
    // Whoever was told of a process that outlives us finds it in the log. A failure of the log is told elsewhere.
    if (task.detached !== undefined) await this.#parts.log.flush().catch(() => {});
    const cwd = this.sessions.current.byId.get(task.sessionId)?.cwd ?? this.#parts.cwd;
    return resultOf({ task, log, cwd, now: this.#parts.clock.now() });
  }
}

function endsForGood(event: RuntimeEvent): boolean {
  return event.type === "execution.closed" ||
    (endsCommand(event) && event.type !== "execution.exited");
}
