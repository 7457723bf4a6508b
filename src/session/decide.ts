import type { CommandId, CommandRequested, StopCause } from "../event/command.ts";
import type { RuntimeEvent } from "../event/event.ts";
import type { PromotionCause } from "../event/task.ts";
import type { ExecutorMessage } from "../execution/executor.ts";
import { isBusy, type SessionState } from "./state.ts";

/** What a session is told. */
export type SessionMessage =
  /** No other session has its name any more: what waits may have its turn. */
  | { readonly type: "open" }
  /** Queue a command; one that is `cancelledBy` somebody already is recorded and never runs. */
  | {
    readonly type: "run";
    readonly request: CommandRequested;
    readonly cancelledBy?: StopCause;
    /** It is rejected if it would have to wait. */
    readonly unlessBusy?: boolean;
  }
  /** End a command, whether it waits, is being judged, or runs; what has ended is left alone. */
  | { readonly type: "cancel"; readonly commandId: CommandId; readonly by: StopCause }
  /** Let a command go on without anybody waiting for it. */
  | { readonly type: "promote"; readonly commandId: CommandId; readonly by: PromotionCause }
  /** Signal the process group of a running command. */
  | { readonly type: "signal"; readonly commandId: CommandId; readonly signal: string }
  /** Free the shell if nothing uses it; the next command starts another. */
  | { readonly type: "rest" }
  /** Take no more commands; `now` ends those that are left, else they are run first. */
  | { readonly type: "close"; readonly reason: string; readonly now: boolean };

/** What is to be done about a message or an event. */
export type SessionEffect =
  | { readonly type: "record"; readonly event: RuntimeEvent }
  /** The command's turn has come. */
  | { readonly type: "admit"; readonly request: CommandRequested }
  /** Unsubscribe from a command that does not run yet. */
  | { readonly type: "abandon"; readonly commandId: CommandId }
  | { readonly type: "tell"; readonly commandId: CommandId; readonly message: ExecutorMessage }
  /** The shell is not needed for now. */
  | { readonly type: "rest" }
  | { readonly type: "closing"; readonly reason: string }
  | { readonly type: "open" };

/** What follows from a message. Pure. */
export function decide(state: SessionState, message: SessionMessage): readonly SessionEffect[] {
  switch (message.type) {
    case "open":
      return state.opened ? [] : [{ type: "open" }];
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
    case "signal": {
      const { commandId, signal } = message;
      const runs = state.current?.commandId === commandId && state.current.running;
      if (!runs && !state.background.has(commandId)) return [];
      return [
        { type: "tell", commandId, message: { type: "signal", signal } },
        record({ type: "command.signalled", commandId, signal }),
      ];
    }
    case "promote": {
      const { commandId, by } = message;
      const lives = state.current?.commandId === commandId || state.pending.has(commandId);
      return lives ? [record({ type: "task.promoted", commandId, by })] : [];
    }
    case "rest":
      return state.shellOrigin === undefined || isBusy(state) ? [] : [{ type: "rest" }];
    case "close": {
      if (state.closed) return [];
      const closing: SessionEffect = { type: "closing", reason: message.reason };
      if (!message.now) return [closing];
      const { waiting, pending, current } = state;
      return [
        closing,
        ...waiting.filter(({ commandId }) => pending.has(commandId))
          .map(({ commandId }) => record(cancelled(commandId, "close"))),
        ...(current === undefined ? [] : cancel(state, current.commandId, "close")),
        ...[...state.background].flatMap((commandId) => cancel(state, commandId, "close")),
      ];
    }
  }
}

/** What follows once nothing is being handled: the next command's turn, or the end of the session. Pure. */
export function proceed(state: SessionState): SessionEffect | undefined {
  if (!state.opened || state.closed || state.current !== undefined) return undefined;
  const request = state.waiting.first();
  if (request !== undefined) return { type: "admit", request };
  if (state.closing === undefined) return undefined;
  const { sessionId, closing: reason } = state;
  return record({ type: "session.closed", sessionId, reason });
}

function cancel(state: SessionState, commandId: CommandId, by: StopCause): SessionEffect[] {
  const { current, pending } = state;
  if (current?.commandId !== commandId) {
    return pending.has(commandId) ? [record(cancelled(commandId, by))] : [
      // It may have ended and left processes behind: they are of the command, too.
      { type: "tell", commandId, message: { type: "stop", by } },
    ];
  }
  if (current.running) return [{ type: "tell", commandId, message: { type: "stop", by } }];
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
