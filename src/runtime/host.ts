import { BUILT_IN } from "../command/program/programs.ts";
import type { CommandId, SessionId, StopCause } from "../event/command.ts";
import type { Recorded, RuntimeEvent } from "../event/event.ts";
import type { Leftover } from "../event/leftover.ts";
import type { Projection } from "../event/project.ts";
import type { PromotionCause } from "../event/task.ts";
import type { ExecutorCapabilities } from "../execution/executor.ts";
import type { ByteLog } from "../output/byte-log.ts";
import type { ByteRange } from "../stream/byte-range.ts";
import type { ReadResult } from "../output/read/read-bytes.ts";
import { NoticeBoard, type Notices } from "../notification/notice-board.ts";
import type { CancelTimer, Clock } from "../platform/clock.ts";
import { absolutePath } from "../platform/file/paths.ts";
import type { SessionTable } from "../session/sessions.ts";
import { hasEnded, type Task } from "../task/task-view.ts";
import type { TaskTable } from "../task/tasks.ts";
import { checkOpening, checkSignal, checkSize, checkStopCause } from "./call/check-call.ts";
import type { TerminalSize } from "../platform/terminal/terminals.ts";
import { Commands } from "./commands.ts";
import { type EventStream, eventStream } from "./event-stream.ts";
import { type Live, LiveProjection, liveProjection } from "./live.ts";
import { knownTask } from "./call/known-task.ts";
import { mayFoldCd } from "./permission/permits.ts";
import { guarded, type Message, ownReaction, type Reaction } from "./reactions.ts";
import { type ShownOutput, storedOutput } from "./output/stored-output.ts";
import { maskedEvent } from "./output/masked-event.ts";
import { Readers, type ReadTaskOptions } from "./output/readers.ts";
import { checkAble, checkRequest, type RunOptions } from "./call/request.ts";
import { resultOf, type RunResult } from "./call/result.ts";
import type { Spawning } from "../platform/process/processes.ts";
import type { CommandInput, InputOptions } from "./terminal/command-input.ts";
import { Inputs } from "./terminal/inputs.ts";
import type { ScreenSnapshot } from "../screen/snapshot.ts";
import { type ScreenOptions, showScreen } from "./terminal/screens.ts";
import type { CloseOptions, OpenSessionOptions, Running, Runtime } from "./runtime.ts";
import { SessionPool } from "./session-pool.ts";
import { type Projected, projections } from "./state/projections.ts";
import type { Recovery } from "./state/recovery.ts";
import { pipeline } from "../pipeline.ts";
import type { HostParts } from "./host-parts.ts";

/** Holds the sessions and the projections of a runtime together. */
export class Host implements Runtime {
  readonly id: string;
  readonly clock: Clock;
  readonly capabilities: ExecutorCapabilities;
  readonly spawning: Spawning;
  readonly events: EventStream;
  readonly notices: Notices;
  readonly tasks: Live<TaskTable>;
  readonly sessions: Live<SessionTable>;
  readonly #parts: HostParts;
  readonly #projected: LiveProjection<Projected>;
  readonly #commands: Commands;
  readonly #pool: SessionPool;
  readonly #readers: Readers;
  readonly #inputs: Inputs;
  readonly #board: NoticeBoard;
  readonly #reactions: readonly Reaction[];
  /** By key: a later one takes the place of an earlier one. */
  readonly #timers = new Map<string, CancelTimer>();
  #closing = false;
  #closed: Promise<void> | undefined;

  constructor(parts: HostParts) {
    const { id, options, log, cwd, ids, executor, mask } = parts;
    this.id = id;
    this.clock = parts.clock;
    this.capabilities = executor.capabilities;
    this.spawning = parts.processes.spawning;
    this.#parts = parts;
    this.#projected = new LiveProjection(projections, parts.earlier);
    this.tasks = this.#projected.part(({ tasks }) => tasks);
    this.sessions = this.#projected.part(({ sessions }) => sessions);
    this.events = eventStream(log);
    const record = (event: RuntimeEvent) => {
      log.append(maskedEvent(event, mask));
      // What starts next, or outlives this process, is in the file if this one is killed in the same moment.
      if (event.type === "env.built" || event.type === "task.detached") log.writeNow();
    };
    this.#commands = new Commands({
      ...parts,
      record,
      tasks: this.tasks,
      seat: (options) => this.#pool.seat(options),
      result: (task) => this.#result(task),
    });
    const permitOf = (commandId: CommandId) => this.#commands.permitOf(commandId);
    this.#pool = new SessionPool({
      ...parts.sessions,
      mayFold: options.foldCd === false
        ? undefined
        : (commandId, directory) => mayFoldCd(permitOf(commandId), directory),
      cwd,
      ids,
      clock: parts.clock,
      executor,
      pipeline: pipeline({ ...parts.pipeline, permit: permitOf }),
      record,
      table: () => this.sessions.current,
    });
    this.#readers = new Readers({
      clock: parts.clock,
      tasks: this.tasks,
      output: (taskId) => this.output(taskId),
      recorded: parts.recorded,
      record,
      mask,
      projected: this.#projected,
    });
    this.#inputs = new Inputs({
      executor,
      permitOf,
      home: parts.home,
      programs: parts.programs ?? BUILT_IN,
      bashEnv: parts.sessions.bashEnv,
      task: (what, taskId) => knownTask(this.tasks, what, taskId),
      send: (taskId, message, taken) => {
        // What is typed answers what was written: in a record it stands behind that.
        this.output(taskId)?.announce();
        return this.#commands.send(taskId, message, taken);
      },
    });
    this.#board = new NoticeBoard({
      nonce: ids.next("notice"),
      record,
      flush: parts.intend ?? (() => Promise.resolve()),
      tailOf: (taskId) => this.#readers.tail(taskId),
      table: () => this.#projected.current.notices,
    });
    this.notices = this.#board.notices;
    this.#reactions = [
      ownReaction(options.sessionIdleMs),
      ...(options.reactions ?? []).map(guarded),
    ];
    log.appended.subscribe({
      next: this.#happened,
      complete: () => {
        this.#projected.complete();
        this.#board.complete();
      },
    });
  }

  async run(command: string, options: RunOptions = {}): Promise<RunResult> {
    return await this.start(command, options).result;
  }

  start(command: string, options: RunOptions = {}): Running {
    checkRequest(command, options);
    checkAble(options, this.#parts.executor.capabilities);
    this.#checkOpen(`run "${command}"`);
    return this.#commands.start(command, options);
  }

  /** Record what became of the commands of an earlier host, and go on with those that still run. */
  recover({ events, adoptions }: Recovery): void {
    const { log, executor, mask } = this.#parts;
    for (const event of events) log.append(maskedEvent(event, mask));
    for (const adoption of adoptions) {
      executor.adopt?.(adoption).subscribe((event) => void log.append(maskedEvent(event, mask)));
    }
  }

  project<State>(projection: Projection<State>): Live<State> {
    return liveProjection(projection, this.events);
  }

  output(taskId: CommandId): ByteLog | undefined {
    return this.#parts.logs.get(taskId);
  }

  read(taskId: CommandId, options: ReadTaskOptions = {}): Promise<ReadResult> {
    return this.#readers.read(taskId, options);
  }

  unread(taskId: CommandId, reader: string): ByteRange {
    return this.#readers.unread(taskId, reader);
  }

  stop(taskId: CommandId, by: StopCause = "stop"): Promise<readonly Leftover[]> {
    checkStopCause(taskId, by);
    this.#commands.check("stop", taskId);
    return this.#commands.stop(taskId, by);
  }

  seen(taskId: CommandId, reader: string, to: number): void {
    this.#readers.seen(taskId, reader, to);
  }

  promote(taskId: CommandId, by: PromotionCause = "user"): void {
    this.#commands.check("promote", taskId);
    this.#commands.promote(taskId, by);
  }

  wait(taskId: CommandId): Promise<RunResult> {
    return this.#commands.wait(taskId);
  }

  signal(taskId: CommandId, signal: string): void {
    checkSignal(taskId, signal);
    this.#commands.check("signal", taskId);
    this.#commands.signal(taskId, signal);
    if (signal === "SIGINT") this.#inputs.typing.discard(taskId);
  }

  input(taskId: CommandId, input: CommandInput, options: InputOptions = {}): Promise<void> {
    return this.#inputs.write(taskId, input, options);
  }

  async resize(taskId: CommandId, size: TerminalSize): Promise<void> {
    checkSize(taskId, size);
    const { columns, rows } = size;
    const task = knownTask(this.tasks, "resize the terminal of", taskId);
    // What a command left behind may hold its terminal for longer, but has no command any more.
    const send = () => this.#commands.send(taskId, { type: "resize", columns, rows });
    if (!hasEnded(task) && await send()) return;
    throw new Error(`Cannot resize the terminal of "${taskId}": it has none now`);
  }

  async screen(taskId: CommandId, options: ScreenOptions = {}): Promise<ScreenSnapshot> {
    const { executor, mask } = this.#parts;
    const read = (id: CommandId, range: ReadTaskOptions) => this.read(id, range);
    const task = knownTask(this.tasks, "show the screen of", taskId);
    return await showScreen(task, options, { executor, read, mask });
  }

  openSession(sessionId: SessionId, options: OpenSessionOptions = {}): void {
    checkOpening(sessionId, options);
    this.#checkOpen(`open session "${sessionId}"`);
    if (this.#pool.get(sessionId) !== undefined) return;
    const { cwd = ".", reset } = options;
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
    if (now) this.#parts.graceCutoff.abort();
    this.#closing = true;
    return this.#closed ??= this.#close();
  }

  get closing(): boolean {
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    for (const cancel of this.#timers.values()) cancel();
    this.#pool.close();
    await this.#parts.executor.close();
    await this.#parts.logs.close();
    await this.#parts.log.close();
    await this.#parts.release?.();
  }

  #checkOpen(what: string): void {
    if (this.#closing) throw new Error(`Cannot ${what}: the runtime is closed`);
  }

  /** The one loop: fold the event in, then do what follows from it. */
  readonly #happened = (recorded: Recorded): void => {
    this.#projected.next(recorded);
    for (const reaction of this.#reactions) {
      for (const message of reaction(this, recorded)) this.#perform(message);
    }
  };

  #perform(message: Message): void {
    switch (message.type) {
      case "answer": {
        const task = this.tasks.current.byId.get(message.commandId);
        return task && this.#commands.answer(task);
      }
      case "forget":
        this.#inputs.typing.forget(message.commandId);
        return this.#commands.forget(message.commandId);
      case "promote":
        return this.#commands.promote(message.commandId, message.by);
      case "stop":
        return void this.#commands.end(message.commandId, message.by);
      case "signal":
        return this.#commands.signal(message.commandId, message.signal);
      case "openNext":
        return this.#pool.openNext(message.sessionId);
      case "notify":
        return this.#board.push();
      case "rest":
        return this.#pool.rest(message.sessionId);
      case "cancel":
        this.#timers.get(message.key)?.();
        return void this.#timers.delete(message.key);
      case "later": {
        const { key, afterMs, message: then } = message;
        this.#perform({ type: "cancel", key });
        if (this.#closing) return;
        const due = () => {
          this.#timers.delete(key);
          this.#perform(then);
        };
        return void this.#timers.set(key, this.clock.deadline(afterMs, due));
      }
    }
  }

  async #result(task: Task): Promise<RunResult> {
    const { logs, log: events, clock, mask } = this.#parts;
    const release = logs.retain(task.id);
    try {
      const log = logs.get(task.id);
      // Flush before the path of the file is answered.
      if (log?.path !== undefined) await log.flushed();
      // A process that outlives the runtime must be in the log; a failure is reported elsewhere.
      if (task.detached !== undefined) await events.flush().catch(() => {});
      const { sandbox } = this.capabilities;
      const { sessions, streams } = this.#projected.current;
      const stderr = streams.get(task.id);
      // If its turn never came, where its session stands.
      const cwd = task.cwd ?? sessions.byId.get(task.sessionId)?.cwd ?? this.#parts.cwd;
      const output = log ?? await this.#stored(task);
      return resultOf({ task, log: output, stderr, cwd, now: clock.now(), sandbox, mask });
    } finally {
      release();
    }
  }

  /** The output of a task that has ended and is in no memory; `undefined` where it is not kept. */
  async #stored(task: Task): Promise<ShownOutput | undefined> {
    const { id, detached, totalBytes } = task;
    if (!hasEnded(task) || (detached === undefined && totalBytes === 0)) return undefined;
    return await storedOutput((range) => this.read(id, range), detached?.log).catch(() =>
      undefined
    );
  }
}
