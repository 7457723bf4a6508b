import type { CommandId, CommandRequested, StopCause } from "../event/command.ts";
import type { RuntimeEvent } from "../event/event.ts";
import type { PromotionCause } from "../event/task.ts";
import type { ExecutorMessage } from "../execution/executor.ts";
import { isBusy, isWaiting, type SessionState } from "./session-state.ts";

/** A message to a session. */
export type SessionMessage =
  /** The earlier session of its name has closed: waiting commands may run. */
  | { readonly type: "open" }
  /** Queue a command; with `cancelledBy` it is recorded and never runs. */
  | {
    readonly type: "run";
    readonly request: CommandRequested;
    readonly cancelledBy?: StopCause;
    /** Reject it if it would have to wait. */
    readonly unlessBusy?: boolean;
  }
  /** End a command, whether it waits, is being judged, or runs; what has ended is left alone. */
  | { readonly type: "cancel"; readonly commandId: CommandId; readonly by: StopCause }
  | { readonly type: "promote"; readonly commandId: CommandId; readonly by: PromotionCause }
  /** Send a signal, input or a new size to a running command. */
  | {
    readonly type: "send";
    readonly commandId: CommandId;
    readonly message: ExecutorMessage;
    readonly answer?: (taken: boolean) => void;
    readonly taken?: RuntimeEvent;
  }
  /** Free the shell unless a command uses it; the next command starts another. */
  | { readonly type: "rest" }
  /** Take no more commands; `now` ends those that are left, else they are run first. */
  | { readonly type: "close"; readonly reason: string; readonly now: boolean };

/** What the session does because of a message. */
export type SessionEffect =
  | { readonly type: "record"; readonly event: RuntimeEvent }
  | { readonly type: "admit"; readonly request: CommandRequested }
  /** Unsubscribe from a command that has not started. */
  | { readonly type: "abandon"; readonly commandId: CommandId }
  | { readonly type: "closing"; readonly reason: string }
  /** Done as it was asked for. */
  | Extract<SessionMessage, { readonly type: "open" | "send" | "rest" }>;

/** What follows from a message. Pure. */
export function decide(state: SessionState, message: SessionMessage): readonly SessionEffect[] {
  switch (message.type) {
    case "open":
      return state.opened ? [] : [message];
    case "run": {
      const { request } = message;
      const { commandId } = request;
      const by = message.cancelledBy ?? (state.closing === undefined ? undefined : "close");
      if (by !== undefined) return [record(request), record(cancelled(commandId, by))];
      if (message.unlessBusy !== true || !isBusy(state)) return [record(request)];
      const reason = `Cannot run in session "${state.sessionId}": it is busy${
        state.current === undefined ? "" : ` with "${state.current.commandId}"`
      }`;
      return [record(request), record({ type: "command.rejected", commandId, reason })];
    }
    case "cancel":
      return cancel(state, message.commandId, message.by);
    case "send":
      return [message];
    case "promote": {
      const { commandId, by } = message;
      const lives = state.current?.commandId === commandId || isWaiting(state, commandId);
      return lives ? [record({ type: "task.promoted", commandId, by })] : [];
    }
    case "rest":
      return state.shellOrigin === undefined || isBusy(state) ? [] : [message];
    case "close": {
      if (state.closed) return [];
      const closing: SessionEffect = { type: "closing", reason: message.reason };
      if (!message.now) return [closing];
      const { waiting, current } = state;
      return [
        closing,
        ...waiting.map(({ commandId }) => record(cancelled(commandId, "close"))),
        ...(current === undefined ? [] : cancel(state, current.commandId, "close")),
        ...[...state.background].flatMap((commandId) => cancel(state, commandId, "close")),
      ];
    }
  }
}

/** What follows once the mailbox is empty: the next command, or the end of the session. Pure. */
export function proceed(state: SessionState): SessionEffect | undefined {
  if (!state.opened || state.closed || state.current !== undefined) return undefined;
  const request = state.waiting.first();
  if (request !== undefined) return { type: "admit", request };
  if (state.closing === undefined) return undefined;
  const { sessionId, closing: reason } = state;
  return record({ type: "session.closed", sessionId, reason });
}

function cancel(state: SessionState, commandId: CommandId, by: StopCause): SessionEffect[] {
  const { current } = state;
  if (current?.commandId !== commandId) {
    return isWaiting(state, commandId) ? [record(cancelled(commandId, by))] : [
      // It runs in the background, or has ended and left processes behind.
      { type: "send", commandId, message: { type: "stop", by } },
    ];
  }
  if (current.running) return [{ type: "send", commandId, message: { type: "stop", by } }];
  const reason = `The command was cancelled by ${by}`;
  return [
    { type: "abandon", commandId },
    ...(current.askId === undefined
      ? []
      : [record({ type: "permission.withdrawn", commandId, askId: current.askId, reason })]),
    record(cancelled(commandId, by)),
  ];
}

function cancelled(commandId: CommandId, by: StopCause): RuntimeEvent {
  return { type: "command.cancelled", commandId, by };
}

function record(event: RuntimeEvent): SessionEffect {
  return { type: "record", event };
}
