import { filter, firstValueFrom, map, merge, type Observable, throwIfEmpty } from "rxjs";
import * as v from "valibot";
import type { CommandId, StopCause } from "../event/command.ts";
import type { RuntimeEvent } from "../event/event.ts";
import type { Leftover } from "../event/leftover.ts";
import type { PromotionCause } from "../event/task.ts";
import type { ExecutorMessage } from "../execution/executor.ts";
import type { ByteLog } from "../output/byte-log.ts";
import type { PermitOptions } from "../permission/permit.ts";
import type { Session } from "../session/actor.ts";
import { abortOf } from "../stream/abort-of.ts";
import { hasEnded, type Task } from "../task/task-view.ts";
import type { TaskTable } from "../task/tasks.ts";
import { checkFields } from "../value/check-fields.ts";
import { defined } from "../value/defined.ts";
import { shownValue } from "../value/shown.ts";
import { checkStopCause } from "./call/check-call.ts";
import { knownTask } from "./call/known-task.ts";
import type { RunOptions } from "./call/request.ts";
import { requested } from "./call/requested.ts";
import type { RunResult } from "./call/result.ts";
import type { HostParts } from "./host-parts.ts";
import type { Live } from "./live.ts";
import { maskedLeftovers } from "./output/masked-event.ts";
import { permitOptions } from "./permission/permits.ts";
import type { Running, WaitOptions } from "./runtime.ts";
import type { Seat } from "./session-pool.ts";
import { firstLine, isInSession } from "./session-start.ts";

/** What the registry needs from the runtime. */
export interface CommandsOptions
  extends Pick<HostParts, "executor" | "ids" | "logs" | "options" | "permit" | "mask"> {
  readonly record: (event: RuntimeEvent) => void;
  readonly tasks: Live<TaskTable>;
  /** Finds the session that takes a command. */
  readonly seat: (options: RunOptions) => Seat;
  /** Puts together what became of a task so far. */
  readonly result: (task: Task) => Promise<RunResult>;
}

const waitOptions = v.strictObject({ signal: v.optional(v.instance(AbortSignal)) });

/** Everything that the runtime keeps of one command beside its events. */
interface LiveCommand {
  readonly session: Session;
  /** The rules that came with the command; absent: those of the runtime. */
  readonly permit?: PermitOptions | undefined;
  /** Answers the call that started it; absent once that was done. */
  answerCaller?: ((result: Promise<RunResult>) => void) | undefined;
}

/**
 * The one registry of commands: from the request until no process of it is left.
 *
 * Requests about a command go to the session that took it, or to the executor where that session
 * ended with an earlier host.
 */
export class Commands {
  readonly #options: CommandsOptions;
  readonly #live = new Map<CommandId, LiveCommand>();
  /** Sessions that `onSession` was asked about. */
  readonly #prepared = new WeakSet<Session>();

  constructor(options: CommandsOptions) {
    this.#options = options;
  }

  /** Give a request, which was checked, to its session. */
  start(command: string, options: RunOptions): Running {
    const seat = this.#options.seat(options);
    if (!this.#prepare(seat, options)) return this.#start(command, options, seat);
    // It is busy with the preparation alone.
    return this.#start(command, { ...options, overlap: "queue" }, seat);
  }

  #start(command: string, options: RunOptions, { session, closesAfter, isThere }: Seat): Running {
    const { ids, options: defaults, permit: own } = this.#options;
    const { permission, signal } = options;
    const permit = permission && permitOptions(permission, own);
    const commandId = ids.next("task");
    const request = requested(command, options, {
      commandId,
      sessionId: session.id,
      cwd: isThere ? undefined : options.cwd,
      defaults,
    });
    const stop = (by: StopCause) => void this.end(commandId, by);
    const result = new Promise<RunResult>((answerCaller) => {
      this.#live.set(commandId, { session, permit, answerCaller });
    });
    const aborted = signal?.aborted === true;
    const onAbort = () => stop("abort");
    if (!aborted) signal?.addEventListener("abort", onAbort, { once: true });
    void result.then(() => signal?.removeEventListener("abort", onAbort));
    const output = this.#outputOf(commandId, result);
    session.send({
      type: "run",
      request,
      ...(aborted && { cancelledBy: "abort" }),
      ...(options.overlap === "reject" && { unlessBusy: true }),
    });
    if (closesAfter) session.send({ type: "close", reason: "Its only command ended", now: false });
    return {
      taskId: commandId,
      sessionId: session.id,
      result,
      output,
      stop: (by = "stop") => {
        checkStopCause(commandId, by);
        stop(by);
      },
    };
  }

  /** Queue what the embedder has for a session that stays, in front of its first command. */
  #prepare(seat: Seat, options: RunOptions): boolean {
    const { session, closesAfter, resumed } = seat;
    const { onSession, defaultExecutor } = this.#options.options;
    if (onSession === undefined || closesAfter || this.#prepared.has(session)) return false;
    if (!isInSession(options, defaultExecutor)) return false;
    const { id: sessionId, state: { cwd } } = session;
    const { origin = "model", executor, pty } = options;
    const common = { sessionId, origin, ...defined({ owner: options.owner }) };
    // The function may itself use the session.
    this.#prepared.add(session);
    let line: string | undefined;
    try {
      line = firstLine(onSession, { ...common, cwd, resumed });
    } catch (cause) {
      this.#prepared.delete(session);
      throw cause;
    }
    if (line === undefined) return false;
    const preparation: RunOptions = {
      ...common,
      ...defined({ executor, pty }),
      description: "Prepare the session",
      permission: { mode: "bypass" },
      notify: false,
      // A promoted line would take the shell that it prepares.
      onTimeout: "kill",
    };
    this.#start(line, preparation, seat);
    return true;
  }

  /** The rules by which a command is judged. */
  permitOf(id: CommandId): PermitOptions {
    return this.#live.get(id)?.permit ?? this.#options.permit;
  }

  /** End the wait of the call that started it. */
  answer(task: Task): void {
    const command = this.#live.get(task.id);
    const { answerCaller } = command ?? {};
    if (command === undefined || answerCaller === undefined) return;
    command.answerCaller = undefined;
    answerCaller(this.#options.result(task));
  }

  /** Nothing of the command is left. */
  forget(id: CommandId): void {
    this.#live.delete(id);
  }

  /**
   * @throws {Error} When the runtime closes before its end.
   * @throws The reason of the signal, once that aborts.
   */
  async wait(id: CommandId, options: WaitOptions): Promise<RunResult> {
    const { signal } = checkFields(waitOptions, options, `Cannot wait for ${shownValue(id)} with`);
    const { tasks, result } = this.#options;
    const ends = this.#endOf(knownTask(tasks, "wait for", id), "wait for");
    return await firstValueFrom(merge(rejected(signal), ends).pipe(map(result)));
  }

  /**
   * End a task and what it leaves behind, and wait until that is over.
   *
   * @returns The processes of it that cannot be ended.
   * @throws {Error} When the runtime closes before its end.
   */
  async stop(id: CommandId, by: StopCause): Promise<readonly Leftover[]> {
    const known = this.#options.tasks.current.byId.get(id);
    const survivors = await this.end(id, by);
    if (known === undefined || hasEnded(known)) return survivors;
    const { leftovers } = await firstValueFrom(this.#endOf(known, "stop"));
    // It may have ended by itself just before, and left some.
    return leftovers.length === 0 ? [] : await this.end(id, by);
  }

  /** Emits a task in the moment of its end. */
  #endOf(task: Task, what: string): Observable<Task> {
    return this.#options.tasks.changes.pipe(
      map(({ byId }) => byId.get(task.id) ?? task),
      filter(hasEnded),
      throwIfEmpty(() => new Error(`Cannot ${what} "${task.id}": its runtime is closing`)),
    );
  }

  /**
   * Begin to end a command, or what it left behind.
   *
   * @returns Of a command that had ended before: the processes that outlived that, once it is over.
   */
  async end(id: CommandId, by: StopCause): Promise<readonly Leftover[]> {
    const { executor, tasks, mask } = this.#options;
    const task = tasks.current.byId.get(id);
    const sweep = async () => maskedLeftovers(await executor.sweep?.(id) ?? [], mask);
    if (task !== undefined && hasEnded(task)) return await sweep();
    const session = this.#live.get(id)?.session;
    if (session !== undefined) session.send({ type: "cancel", commandId: id, by });
    else if (!executor.send(id, { type: "stop", by })) return await sweep();
    return [];
  }

  /** End the wait for a command. */
  promote(id: CommandId, by: PromotionCause): void {
    this.#live.get(id)?.session.send({ type: "promote", commandId: id, by });
  }

  /** Send a signal, input or a new size to a command; answers whether it took that. */
  async send(id: CommandId, message: ExecutorMessage, taken?: RuntimeEvent): Promise<boolean> {
    const session = this.#live.get(id)?.session;
    if (session !== undefined) {
      return await new Promise((answer) => {
        session.send({ type: "send", commandId: id, message, answer, ...(taken && { taken }) });
      });
    }
    const { executor, record } = this.#options;
    const isTaken = executor.send(id, message);
    if (isTaken && taken !== undefined) record(taken);
    return isTaken;
  }

  signal(id: CommandId, signal: string): void {
    const task = this.#options.tasks.current.byId.get(id);
    if (task === undefined || hasEnded(task)) return;
    const taken: RuntimeEvent = { type: "command.signalled", commandId: id, signal };
    void this.send(id, { type: "signal", signal }, taken);
  }

  /**
   * Refuse what is asked of a command that does not exist.
   *
   * @param what What was asked, as a verb.
   * @throws {Error} When the runtime knows neither its task nor a process of it.
   */
  check(what: string, id: CommandId): void {
    if (!this.#live.has(id)) knownTask(this.#options.tasks, what, id);
  }

  /** The bytes of a command, once it runs; `undefined` when it never will. */
  #outputOf(id: CommandId, result: Promise<RunResult>): Promise<ByteLog | undefined> {
    const { logs } = this.#options;
    return new Promise((resolve) => {
      const forget = logs.whenOpen(id, resolve);
      void result.then(() => {
        forget();
        resolve(logs.get(id));
      });
    });
  }
}

/** Errors with the reason of a signal, once that aborts. */
function rejected(signal: AbortSignal | undefined): Observable<never> {
  return abortOf(signal).pipe(map(() => {
    throw signal?.reason;
  }));
}
