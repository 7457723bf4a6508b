import type { CommandId, SessionId, StopCause } from "../event/command.ts";
import { endsCommand, type Recorded } from "../event/event.ts";
import type { PromotionCause } from "../event/task.ts";
import type { SessionTable } from "../session/sessions.ts";
import type { TaskTable } from "../task/tasks.ts";
import type { Live } from "./live.ts";

/** What the runtime does because of an event. */
export type Message =
  /** End a command, and what it left behind. */
  | { readonly type: "stop"; readonly commandId: CommandId; readonly by: StopCause }
  /** Send a signal, such as `SIGINT`, to a command. */
  | { readonly type: "signal"; readonly commandId: CommandId; readonly signal: string }
  /** End the wait of the caller. */
  | { readonly type: "answer"; readonly commandId: CommandId }
  /** Nothing of the command is left. */
  | { readonly type: "forget"; readonly commandId: CommandId }
  /** Let a command go on in the background. */
  | { readonly type: "promote"; readonly commandId: CommandId; readonly by: PromotionCause }
  /** The name of a session is free for the next one that waits for it. */
  | { readonly type: "openNext"; readonly sessionId: SessionId }
  /** Hand the notices that are due to their subscribers. */
  | { readonly type: "notify" }
  /** Free the shell of a session, unless it is in use. */
  | { readonly type: "rest"; readonly sessionId: SessionId }
  /** Do something after a time, in milliseconds, in place of what has the same key. */
  | {
    readonly type: "later";
    readonly key: string;
    readonly afterMs: number;
    readonly message: Message;
  }
  /** Do it no more. */
  | { readonly type: "cancel"; readonly key: string };

/** The projections; the event is already folded in. */
export interface Facts {
  readonly tasks: Pick<Live<TaskTable>, "current">;
  readonly sessions: Pick<Live<SessionTable>, "current">;
}

/** What follows from an event. Pure. */
export type Reaction = (facts: Facts, recorded: Recorded) => readonly Message[];

/**
 * Everything that a runtime does because of its own events.
 *
 * @param shellIdleMs How long an unused shell is kept, in milliseconds; 0: as long as its session.
 */
export function ownReaction(shellIdleMs = 0): Reaction {
  return (facts, { event }) => {
    switch (event.type) {
      case "command.requested":
        return shellIdleMs > 0 ? [cancelRest(event.sessionId)] : NONE;
      case "session.closed": {
        const { sessionId } = event;
        return [{ type: "openNext", sessionId }, cancelRest(sessionId)];
      }
      case "execution.started":
        return promoteInTime(facts, event.commandId);
      // The caller waits no longer for a command that goes on without it.
      case "task.promoted":
      case "task.detached":
        return [{ type: "answer", commandId: event.commandId }];
      case "execution.waitingForInput":
      case "output.limited":
        return NOTIFY;
      case "execution.exited":
        return ended(event.commandId);
      case "execution.closed":
        return closed(facts, event.commandId, shellIdleMs);
      default: {
        if (!endsCommand(event)) return NONE;
        const { commandId } = event;
        return [...ended(commandId), ...closed(facts, commandId, shellIdleMs)];
      }
    }
  };
}

const NONE: readonly Message[] = [];

const NOTIFY: readonly Message[] = [{ type: "notify" }];

/** A command whose limit promotes it goes on in the background once it has run for that long. */
function promoteInTime({ tasks }: Facts, commandId: CommandId): readonly Message[] {
  const afterMs = tasks.current.byId.get(commandId)?.limits.promoteAfterMs;
  if (afterMs === undefined) return NONE;
  const message = { type: "promote", commandId, by: "timeout" } as const;
  return [{ type: "later", key: promotionOf(commandId), afterMs, message }];
}

/** A command ended: its callers are answered, and notices that are due are handed out. */
function ended(commandId: CommandId): readonly Message[] {
  return [
    { type: "cancel", key: promotionOf(commandId) },
    { type: "answer", commandId },
    ...NOTIFY,
  ];
}

/** Nothing of a command is left; the shell of its session is freed once it was idle for so long. */
function closed(
  { sessions, tasks }: Facts,
  commandId: CommandId,
  shellIdleMs: number,
): readonly Message[] {
  const forget: Message = { type: "forget", commandId };
  if (shellIdleMs === 0) return [forget];
  const sessionId = tasks.current.byId.get(commandId)?.sessionId;
  const session = sessionId === undefined ? undefined : sessions.current.byId.get(sessionId);
  if (session === undefined || session.status === "closed" || session.open > 0) return [forget];
  const message = { type: "rest", sessionId: session.id } as const;
  return [forget, { type: "later", key: restOf(session.id), afterMs: shellIdleMs, message }];
}

function cancelRest(sessionId: SessionId): Message {
  return { type: "cancel", key: restOf(sessionId) };
}

function promotionOf(commandId: CommandId): string {
  return `promote ${commandId}`;
}

function restOf(sessionId: SessionId): string {
  return `rest ${sessionId}`;
}
