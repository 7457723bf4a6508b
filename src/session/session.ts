import { type Observable, Subject, type Subscription } from "rxjs";
import type { CommandAdmitted, CommandId, CommandRequested, SessionId } from "../event/command.ts";
import { endsCommand, type RuntimeEvent } from "../event/event.ts";
import type { Executor } from "../execution/executor.ts";
import type { DirectoryCheck } from "../platform/file/directories.ts";
import { Deque } from "../stream/deque.ts";
import {
  decide,
  evolve,
  initialState,
  proceed,
  type SessionEffect,
  type SessionMessage,
  type SessionState,
} from "./state.ts";

/** One shell session: an actor with a mailbox, a queue of commands, and the events that it records. */
export interface Session {
  readonly id: SessionId;
  readonly state: SessionState;
  /** Put a message in the mailbox; handling it never waits, and the answer is an event. */
  send(message: SessionMessage): void;
}

/** What a session needs from outside. */
export interface SessionOptions {
  readonly id: SessionId;
  readonly cwd: string;
  /** The way of a command; subscribed once for each, so that a bug of ours ends one command only. */
  readonly pipeline: (events: Observable<CommandAdmitted>) => Observable<RuntimeEvent>;
  /** Keep an event; called in order. */
  readonly record: (event: RuntimeEvent) => void;
  readonly executor: Pick<Executor, "send">;
  readonly checkDirectory: DirectoryCheck;
}

/** Open a session: it records `session.opened` and waits for messages. */
export function openSession(
  { id, cwd, pipeline, record, executor, checkDirectory }: SessionOptions,
): Session {
  const mailbox = new Deque<SessionMessage>();
  const subscriptions = new Map<CommandId, Subscription>();
  let state = initialState(id, cwd);
  let busy = false;
  let admitting = false;

  const happened = (event: RuntimeEvent) => {
    state = evolve(state, event);
    record(event);
  };

  const perform = (effect: SessionEffect) => {
    switch (effect.type) {
      case "record":
        return happened(effect.event);
      case "closing":
        state = { ...state, closing: effect.reason };
        return;
      case "tell":
        return void executor.send(effect.commandId, effect.message);
      case "abandon":
        subscriptions.get(effect.commandId)?.unsubscribe();
        subscriptions.delete(effect.commandId);
        return;
      case "admit":
        return admit(effect.request);
    }
  };

  const admit = (request: CommandRequested) => {
    const { commandId, command, origin, env, limits, detach } = request;
    const cwd = request.cwd ?? state.cwd;
    const admitted: CommandAdmitted = {
      type: "command.admitted",
      commandId,
      sessionId: id,
      order: {
        command,
        cwd,
        dialect: "bash",
        origin,
        limits,
        ...(env && { env }),
        ...(detach && { detach }),
      },
    };
    const problem = checkDirectory(cwd);
    if (problem !== undefined) {
      happened(admitted);
      happened({
        type: "command.rejected",
        commandId,
        reason: `Cannot run in "${cwd}": ${problem}`,
      });
      return;
    }
    start(admitted);
  };

  const start = (admitted: CommandAdmitted) => {
    const { commandId } = admitted;
    let ended = false;
    const fail = (cause: unknown) => {
      subscriptions.delete(commandId);
      if (!ended) happened({ type: "execution.failed", commandId, reason: bug(cause) });
      handle();
    };
    // Subscribed before the first event flows, so that whoever cancels on hearing of an early event
    // closes the later stages before they act.
    const input = new Subject<CommandAdmitted>();
    subscriptions.set(
      commandId,
      input.pipe(pipeline).subscribe({
        next: (event) => {
          ended ||= endsCommand(event);
          happened(event);
          if (ended || event.type === "task.detached") handle();
        },
        error: fail,
        // Every stage answers every command: to fall silent is a bug, and must not stop the queue.
        complete: () => fail("no end was told"),
      }),
    );
    input.next(admitted);
    input.complete();
  };

  /**
   * Empty the mailbox, unless that is being done further up the stack, and give the next command
   * its turn. While one has its first turn, messages are handled as they come, so that a command
   * can be cancelled before its next stage acts; the turn of another waits for the outermost call.
   */
  const handle = () => {
    if (busy) return;
    busy = true;
    try {
      for (;;) {
        const message = mailbox.shift();
        if (message !== undefined) {
          for (const effect of decide(state, message)) perform(effect);
          continue;
        }
        const effect = admitting ? undefined : proceed(state);
        if (effect === undefined) return;
        admitting = true;
        busy = false;
        try {
          perform(effect);
        } finally {
          admitting = false;
        }
        busy = true;
      }
    } finally {
      busy = false;
    }
  };

  happened({ type: "session.opened", sessionId: id, cwd });
  return {
    id,
    get state() {
      return state;
    },
    send: (message) => {
      mailbox.push(message);
      handle();
    },
  };
}

function bug(cause: unknown): string {
  const text = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
  return `Cannot finish the command: internal error: ${text}`;
}
