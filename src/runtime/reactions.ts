import type { CommandId, SessionId, StopCause } from "../event/command.ts";
import { closesCommand, endsCommand, type Recorded } from "../event/event.ts";
import type { PromotionCause } from "../event/task.ts";
import { mayNotify } from "../notification/notices.ts";
import type { SessionTable } from "../session/sessions.ts";
import type { TaskTable } from "../task/tasks.ts";
import type { Live } from "./live.ts";
import { untilFailure } from "./until-failure.ts";

/** What the runtime does because of an event. */
export type Message =
  /** End a command, and what it left behind. */
  | { readonly type: "stop"; readonly commandId: CommandId; readonly by: StopCause }
  /** Send a signal, such as `SIGINT`, to a command. */
  | { readonly type: "signal"; readonly commandId: CommandId; readonly signal: string }
  /** End the wait of the caller, and of all others if the command has ended. */
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

/** What reactions depend on beside events. */
export interface ReactionOptions {
  /** How long an unused shell is kept, in milliseconds; 0: as long as its session. */
  readonly shellIdleMs: number;
}

/** Everything that a runtime does because of its own events. */
export function reactions({ shellIdleMs }: ReactionOptions): readonly Reaction[] {
  return [
    promoteInTime,
    answerCaller,
    forgetCommand,
    openNextSession,
    pushNotices,
    ...(shellIdleMs > 0 ? [restIdleShell(shellIdleMs)] : []),
  ];
}

const NONE: readonly Message[] = [];

/** A reaction of an embedder: after its first failure, which is a warning, it is not asked again. */
export function guarded(reaction: Reaction): Reaction {
  const name = reaction.name === "" ? "without a name" : `"${reaction.name}"`;
  return untilFailure(
    (facts: Facts, recorded: Recorded) => [...reaction(facts, recorded)],
    { otherwise: () => NONE, warning: `The reaction ${name} is not asked again, as it failed` },
  );
}

/** A command whose limit promotes it goes on in the background once it has run for that long. */
const promoteInTime: Reaction = ({ tasks }, { event }) => {
  const started = event.type === "execution.started";
  if (!("commandId" in event) || !(started || endsCommand(event))) return NONE;
  const { commandId } = event;
  const afterMs = tasks.current.byId.get(commandId)?.limits.promoteAfterMs;
  if (afterMs === undefined) return NONE;
  const key = `promote ${commandId}`;
  if (!started) return [{ type: "cancel", key }];
  return [{ type: "later", key, afterMs, message: { type: "promote", commandId, by: "timeout" } }];
};

/** The wait of a caller ends with the command, or earlier when it goes on without a caller. */
const answerCaller: Reaction = (_, { event }) => {
  const ends = endsCommand(event) || event.type === "task.promoted" ||
    event.type === "task.detached";
  return ends && "commandId" in event ? [{ type: "answer", commandId: event.commandId }] : NONE;
};

const forgetCommand: Reaction = (_, { event }) =>
  closesCommand(event) && "commandId" in event
    ? [{ type: "forget", commandId: event.commandId }]
    : NONE;

const openNextSession: Reaction = (_, { event }) =>
  event.type === "session.closed" ? [{ type: "openNext", sessionId: event.sessionId }] : NONE;

const NOTIFY: readonly Message[] = [{ type: "notify" }];

const pushNotices: Reaction = (_, { event }) => mayNotify(event) ? NOTIFY : NONE;

/** The shell of a session is freed once no command of it is open for a time. */
function restIdleShell(afterMs: number): Reaction {
  return ({ sessions, tasks }, { event }) => {
    if (event.type === "session.closed") {
      return [{ type: "cancel", key: `rest ${event.sessionId}` }];
    }
    if (event.type === "command.requested") {
      return [{ type: "cancel", key: `rest ${event.sessionId}` }];
    }
    if (!closesCommand(event) || !("commandId" in event)) return NONE;
    const sessionId = tasks.current.byId.get(event.commandId)?.sessionId;
    const session = sessionId === undefined ? undefined : sessions.current.byId.get(sessionId);
    if (session === undefined || session.status === "closed" || session.open > 0) return NONE;
    const message = { type: "rest", sessionId: session.id } as const;
    return [{ type: "later", key: `rest ${session.id}`, afterMs, message }];
  };
}
