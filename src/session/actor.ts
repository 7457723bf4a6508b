import { type Observable, Subject, type Subscription } from "rxjs";
import type { CommandAdmitted, CommandId, CommandRequested, SessionId } from "../event/command.ts";
import { defined } from "../value/defined.ts";
import { endsCommand, type RuntimeEvent } from "../event/event.ts";
import type { Executor } from "../execution/executor.ts";
import type { Clock } from "../platform/clock.ts";
import { type AdmissionOptions, admit } from "./admission.ts";
import { decide, proceed, type SessionEffect, type SessionMessage } from "./decide.ts";
import { react } from "./react.ts";
import { evolve, initialState, isBusy, type SessionState } from "./session-state.ts";

/** One shell session: an actor with a mailbox, a queue of commands, and the events that it records. */
export interface Session {
  readonly id: SessionId;
  readonly state: SessionState;
  readonly busy: boolean;
  /** Put a message in the mailbox; handling it never waits, and the answer is an event. */
  send(message: SessionMessage): void;
}

/** What a session needs from outside. */
export interface SessionOptions extends AdmissionOptions {
  readonly id: SessionId;
  readonly cwd: string;
  /** The busy session that it stands in for, for one command. */
  readonly insteadOf?: SessionId | undefined;
  /** The way of a command; subscribed once for each, so that a bug in it ends one command only. */
  readonly pipeline: (events: Observable<CommandAdmitted>) => Observable<RuntimeEvent>;
  /** Keep an event; called in order. */
  readonly record: (event: RuntimeEvent) => void;
  readonly executor: Pick<Executor, "send" | "release">;
  readonly clock: Clock;
}

/** Make a session: it records `session.opened` on the message `open`, and commands wait until then. */
export function openSession(options: SessionOptions): Session {
  const { id, cwd, insteadOf, pipeline, record, executor, clock } = options;
  const mailbox: SessionMessage[] = [];
  const subscriptions = new Map<CommandId, Subscription>();
  let state = initialState(id, cwd);
  let busy = false;
  let admitting = false;
  /** A removed directory is left a moment later: what is asked for until then was meant for it. */
  let leaving: "soon" | "now" | undefined;

  const happened = (event: RuntimeEvent) => {
    const before = state;
    state = evolve(before, event);
    // Before the event is recorded: its readers may send the next command, which needs another shell.
    if (state.background !== before.background && keepsShell(before, state)) {
      executor.release?.(id, "promoted");
    }
    record(event);
  };

  const perform = (effect: SessionEffect) => {
    switch (effect.type) {
      case "open":
        return happened({ type: "session.opened", sessionId: id, cwd, ...defined({ insteadOf }) });
      case "record":
        // Before the event is recorded: a reader of it may open another session of the same name.
        if (effect.event.type === "session.closed" && state.shellOrigin !== undefined) {
          executor.release?.(id, "closed");
        }
        return happened(effect.event);
      case "rest":
        return executor.release?.(id, "idle");
      case "closing":
        state = { ...state, closing: effect.reason };
        return;
      case "send": {
        const taken = executor.send(effect.commandId, effect.message);
        if (taken && effect.taken !== undefined) happened(effect.taken);
        return effect.answer?.(taken);
      }
      case "abandon":
        subscriptions.get(effect.commandId)?.unsubscribe();
        subscriptions.delete(effect.commandId);
        return;
      case "admit":
        return takeTurn(effect.request);
    }
  };

  /** Record events as one: no reader acts between them. */
  const together = (events: readonly RuntimeEvent[]) => {
    const before = busy;
    busy = true;
    try {
      for (const event of events) happened(event);
    } finally {
      busy = before;
    }
    handle();
  };

  const takeTurn = (request: CommandRequested) => {
    const admission = admit(state, request, options);
    if (admission.type === "command.admitted") return start(admission);
    if (!admission.moves || leaving === "now") return together(admission.events);
    leaving = "soon";
    clock.after(0, () => {
      leaving = "now";
      handle();
      leaving = undefined;
    });
  };

  const start = (admitted: CommandAdmitted) => {
    const { commandId } = admitted;
    let ended = false;
    const fail = (cause: unknown) => {
      subscriptions.delete(commandId);
      if (!ended) happened({ type: "execution.failed", commandId, reason: bug(cause) });
      handle();
    };
    // Subscribed before the first event flows: a reader that cancels on an early event closes the
    // later stages before they act.
    const input = new Subject<CommandAdmitted>();
    subscriptions.set(
      commandId,
      input.pipe(pipeline).subscribe({
        next: (event) => {
          ended ||= endsCommand(event);
          const follow = react(state, event);
          if (follow.length > 0) return together([event, ...follow]);
          happened(event);
          if (state.current?.commandId !== commandId) handle();
        },
        error: fail,
        // A pipeline that completes without an end is a bug, which must not stop the queue.
        complete: () => fail("no stage ended it"),
      }),
    );
    input.next(admitted);
    input.complete();
  };

  /**
   * Handle every message, then admit the next command; does nothing inside another call of itself.
   * While a command is being admitted messages are handled at once, so that it can be cancelled
   * before its next stage acts; the next command waits for the outermost call.
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
        const effect = admitting || leaving === "soon" ? undefined : proceed(state);
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

  return {
    id,
    get state() {
      return state;
    },
    get busy() {
      return isBusy(state) || mailbox.length > 0;
    },
    send: (message) => {
      mailbox.push(message);
      handle();
    },
  };
}

/** Whether a command that runs in the shell of its session went to the background with it. */
function keepsShell({ current }: SessionState, { background }: SessionState): boolean {
  return current?.shellOrigin !== undefined && background.has(current.commandId);
}

function bug(cause: unknown): string {
  const text = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
  return `Cannot finish the command: internal error: ${text}`;
}
