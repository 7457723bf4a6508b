import type { CommandId } from "../event/command.ts";
import type { Recorded, RuntimeEvent } from "../event/event.ts";
import { NoticeBoard } from "../notification/notice-board.ts";
import type { CancelTimer } from "../platform/clock.ts";
import { absolutePath } from "../platform/file/paths.ts";
import { hasEnded, type Task } from "../task/task-view.ts";
import { checkOpening, checkSignal, checkSize, checkStopCause } from "./call/check-call.ts";
import { Commands } from "./commands.ts";
import type { OwningRuntime } from "./control/owner-methods.ts";
import { eventStream } from "./event-stream.ts";
import { LiveProjection, liveProjection } from "./live.ts";
import { knownTask } from "./call/known-task.ts";
import { mayFoldCd } from "./permission/permits.ts";
import { guarded } from "./guarded-reaction.ts";
import { type Message, ownReaction } from "./reactions.ts";
import { type ShownOutput, storedOutput } from "./output/stored-output.ts";
import { maskedEvent } from "./output/masked-event.ts";
import { Readers } from "./output/readers.ts";
import { checkAble, checkRequest } from "./call/request.ts";
import { resultOf, type RunResult } from "./call/result.ts";
import { Inputs } from "./terminal/inputs.ts";
import { showScreen } from "./terminal/screens.ts";
import { ClosedError } from "./closed-error.ts";
import { SessionPool } from "./session-pool.ts";
import { projections } from "./state/projections.ts";
import type { Recovery } from "./state/recovery.ts";
import { pipeline } from "../pipeline.ts";
import type { HostParts } from "./host-parts.ts";

/** A runtime that its own process has made. */
export interface Host extends OwningRuntime {
  /** Record what became of the commands of an earlier host, and go on with those that still run. */
  recover(recovery: Recovery): void;
}

/** Hold the sessions and the projections of a runtime together. */
export function openHost(parts: HostParts): Host {
  const { id, options, log, logs, cwd, ids, clock, executor, mask, graceCutoff } = parts;
  const { capabilities } = executor;
  const projected = new LiveProjection(projections, parts.earlier);
  const tasks = projected.part(({ tasks }) => tasks);
  const sessions = projected.part(({ sessions }) => sessions);
  const events = eventStream(log);
  /** By key: a later one takes the place of an earlier one. */
  const timers = new Map<string, CancelTimer>();
  let closing = false;
  let closed: Promise<void> | undefined;

  const append = (event: RuntimeEvent) => void log.append(maskedEvent(event, mask));
  const record = (event: RuntimeEvent) => {
    append(event);
    // What starts next, or outlives this process, is in the file if this one is killed in the same moment.
    if (event.type === "env.built" || event.type === "task.detached") log.writeNow();
  };
  const output = (taskId: CommandId) => logs.get(taskId);
  const commands: Commands = new Commands({
    ...parts,
    record,
    tasks,
    seat: (options) => pool.seat(options),
    result: (task) => result(task),
  });
  const permitOf = (commandId: CommandId) => commands.permitOf(commandId);
  const pool: SessionPool = new SessionPool({
    ...parts.sessions,
    mayFold: options.foldCd === false
      ? undefined
      : (commandId, directory) => mayFoldCd(permitOf(commandId), directory),
    cwd,
    ids,
    clock,
    executor,
    pipeline: pipeline({ ...parts.pipeline, permit: permitOf }),
    record,
    table: () => sessions.current,
  });
  const readers = new Readers({
    clock,
    tasks,
    output,
    recorded: parts.recorded,
    record,
    mask,
    projected,
  });
  const inputs = new Inputs({
    executor,
    permitOf,
    home: parts.home,
    programs: parts.programs,
    bashEnv: () => parts.sessions.bashEnv?.()?.state,
    task: (what, taskId) => knownTask(tasks, what, taskId),
    send: (taskId, message, taken) => {
      // What is typed answers what was written: in a record it stands behind that.
      output(taskId)?.announce();
      return commands.send(taskId, message, taken);
    },
  });
  const board = new NoticeBoard({
    nonce: ids.next("notice"),
    record,
    flush: parts.intend ?? (() => Promise.resolve()),
    tailOf: (taskId) => readers.tail(taskId),
    table: () => projected.current.notices,
  });
  const facts = { tasks, sessions };
  const reactions = [
    ownReaction(options.sessionIdleMs),
    ...(options.reactions ?? []).map(guarded),
  ];

  /** The one loop: fold the event in, then do what follows from it. */
  const happened = (recorded: Recorded) => {
    projected.next(recorded);
    for (const reaction of reactions) {
      for (const message of reaction(facts, recorded)) perform(message);
    }
  };

  const perform = (message: Message): void => {
    switch (message.type) {
      case "answer": {
        const task = tasks.current.byId.get(message.commandId);
        return task && commands.answer(task);
      }
      case "forget":
        inputs.typing.forget(message.commandId);
        return commands.forget(message.commandId);
      case "promote":
        return commands.promote(message.commandId, message.by);
      case "stop":
        return void commands.end(message.commandId, message.by);
      case "signal":
        return commands.signal(message.commandId, message.signal);
      case "openNext":
        return pool.openNext(message.sessionId);
      case "notify":
        return board.push();
      case "rest":
        return pool.rest(message.sessionId);
      case "cancel":
        timers.get(message.key)?.();
        return void timers.delete(message.key);
      case "later": {
        const { key, afterMs, message: then } = message;
        perform({ type: "cancel", key });
        if (closing) return;
        const due = () => {
          timers.delete(key);
          perform(then);
        };
        return void timers.set(key, clock.deadline(afterMs, due));
      }
    }
  };

  const result = async (task: Task): Promise<RunResult> => {
    const release = logs.retain(task.id);
    try {
      const own = output(task.id);
      // Flush before the path of the file is answered.
      if (own?.path !== undefined) await own.flushed();
      // A process that outlives the runtime must be in the log; a failure is reported elsewhere.
      if (task.detached !== undefined) await log.flush().catch(() => {});
      const stderr = projected.current.streams.get(task.id);
      // If its turn never came, where its session stands.
      const at = task.cwd ?? sessions.current.byId.get(task.sessionId)?.cwd ?? cwd;
      const shown = own ?? await stored(task);
      const { sandbox } = capabilities;
      return resultOf({ task, log: shown, stderr, cwd: at, now: clock.now(), sandbox, mask });
    } finally {
      release();
    }
  };

  /** The output of a task that has ended and is in no memory; `undefined` where it is not kept. */
  const stored = async (task: Task): Promise<ShownOutput | undefined> => {
    const { id, detached, totalBytes } = task;
    if (!hasEnded(task) || (detached === undefined && totalBytes === 0)) return undefined;
    return await storedOutput((range) => readers.read(id, range), detached?.log)
      .catch(() => undefined);
  };

  const checkOpen = (what: string) => {
    if (closing) throw new ClosedError(what);
  };

  const end = async () => {
    for (const cancel of timers.values()) cancel();
    pool.close();
    await executor.close();
    await logs.close();
    await log.close();
    await parts.release?.();
  };

  log.appended.subscribe({
    next: happened,
    complete: () => {
      projected.complete();
      board.complete();
    },
  });

  const host: Host = {
    id,
    clock,
    capabilities,
    spawning: parts.processes.spawning,
    events,
    tasks,
    sessions,
    notices: board.notices,
    output,
    get closing() {
      return closing;
    },
    recover: ({ events, adoptions }) => {
      events.forEach(append);
      for (const adoption of adoptions) executor.adopt?.(adoption).subscribe(append);
    },
    project: (projection) => liveProjection(projection, events),
    run: async (command, options) => await host.start(command, options).result,
    start: (command, options = {}) => {
      checkRequest(command, options);
      checkAble(options, capabilities);
      checkOpen(`run "${command}"`);
      return commands.start(command, options);
    },
    read: (taskId, options = {}) => readers.read(taskId, options),
    unread: (taskId, reader) => readers.unread(taskId, reader),
    seen: (taskId, reader, to) => readers.seen(taskId, reader, to),
    stop: (taskId, by = "stop") => {
      checkStopCause(taskId, by);
      commands.check("stop", taskId);
      return commands.stop(taskId, by);
    },
    promote: (taskId, by = "user") => {
      commands.check("promote", taskId);
      commands.promote(taskId, by);
    },
    wait: (taskId, options = {}) => commands.wait(taskId, options),
    signal: (taskId, signal) => {
      checkSignal(taskId, signal);
      commands.check("signal", taskId);
      commands.signal(taskId, signal);
      if (signal === "SIGINT") inputs.typing.discard(taskId);
    },
    input: (taskId, input, options = {}) => inputs.write(taskId, input, options),
    resize: async (taskId, size) => {
      checkSize(taskId, size);
      const { columns, rows } = size;
      const task = knownTask(tasks, "resize the terminal of", taskId);
      // What a command left behind may hold its terminal for longer, but has no command any more.
      const send = () => commands.send(taskId, { type: "resize", columns, rows });
      if (!hasEnded(task) && await send()) return;
      throw new Error(`Cannot resize the terminal of "${taskId}": it has none now`);
    },
    screen: async (taskId, options = {}) => {
      const task = knownTask(tasks, "show the screen of", taskId);
      return await showScreen(task, options, { executor, read: host.read, mask });
    },
    openSession: (sessionId, options = {}) => {
      checkOpening(sessionId, options);
      checkOpen(`open session "${sessionId}"`);
      if (pool.get(sessionId) !== undefined) return;
      pool.open(sessionId, absolutePath(cwd, options.cwd ?? "."));
      const { reset } = options;
      if (reset !== undefined) log.append({ type: "session.reset", sessionId, ...reset });
    },
    closeSession: (sessionId) => {
      pool.get(sessionId)?.send({ type: "close", reason: "It was closed", now: false });
    },
    flush: async () => {
      await logs.flushed();
      await log.flush();
    },
    close: ({ now = false } = {}) => {
      if (now) graceCutoff.abort();
      closing = true;
      return closed ??= end();
    },
    [Symbol.asyncDispose]: () => host.close(),
  };
  return host;
}
