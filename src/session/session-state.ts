import { List, Set } from "immutable";
import type {
  CommandId,
  CommandRequested,
  Origin,
  SessionId,
  ShellState,
} from "../event/command.ts";
import { endsCommand, type RuntimeEvent } from "../event/event.ts";
import type { AskId } from "../event/permission.ts";

/** What a session remembers. */
export interface SessionState {
  readonly sessionId: SessionId;
  readonly cwd: string;
  /** Names in its shell, as last reported, that change what a line means. */
  readonly shellState: ShellState;
  /** The origin whose command started its shell, if it may have one. */
  readonly shellOrigin?: Origin;
  /** The earlier session of its name has closed; until then commands only queue. */
  readonly opened: boolean;
  readonly closing?: string;
  readonly closed: boolean;
  readonly waiting: List<CommandRequested>;
  readonly current?: CurrentCommand;
  /** Commands that were promoted before they started. */
  readonly promoted: Set<CommandId>;
  /** Commands that run while the session goes on without them. */
  readonly background: Set<CommandId>;
}

/** The one command that the session runs or prepares. */
export interface CurrentCommand {
  readonly commandId: CommandId;
  readonly running: boolean;
  /** Its origin, if it is to run in the session's shell. */
  readonly shellOrigin?: Origin;
  /** It was given to its executor: what is to run it may be there before it begins. */
  readonly built?: true;
  readonly askId?: AskId;
}

const FRESH: ShellState = {};

export function initialState(sessionId: SessionId, cwd: string): SessionState {
  return {
    sessionId,
    cwd,
    shellState: FRESH,
    opened: false,
    closed: false,
    waiting: List(),
    promoted: Set(),
    background: Set(),
  };
}

/** Whether a command that comes now would have to wait. */
export function isBusy({ opened, current, waiting }: SessionState): boolean {
  return !opened || current !== undefined || waiting.size > 0;
}

/** What the session remembers after an event. Pure. */
export function evolve(state: SessionState, event: RuntimeEvent): SessionState {
  switch (event.type) {
    case "command.requested":
      return { ...state, waiting: state.waiting.push(event) };
    case "command.admitted": {
      const { commandId, order } = event;
      return {
        ...settle(state, commandId),
        current: { commandId, running: false, ...(order.shell && { shellOrigin: order.origin }) },
      };
    }
    case "env.built":
      return change(state, event.commandId, (command) => ({ ...command, built: true }));
    // It needs nothing of the session any more.
    case "task.detached":
      return ended(state, event.commandId);
    case "task.promoted":
      return state.current?.commandId === event.commandId && state.current.running
        ? released(state, event.commandId)
        : { ...state, promoted: state.promoted.add(event.commandId) };
    case "execution.fellBack":
      // It still has the shell, without a terminal.
      if (event.to === "shell") return state;
      return change(state, event.commandId, ({ shellOrigin: _, ...command }) => command);
    case "execution.started": {
      const { current: { commandId, shellOrigin } = {} } = state;
      const started = change(state, event.commandId, (command) => ({ ...command, running: true }));
      const running = shellOrigin !== undefined && commandId === event.commandId
        ? { ...started, shellOrigin }
        : started;
      return state.promoted.has(event.commandId) ? released(running, event.commandId) : running;
    }
    case "permission.asked":
      return change(state, event.commandId, (command) => ({ ...command, askId: event.askId }));
    case "permission.answered":
    case "permission.withdrawn":
      return change(state, event.commandId, ({ askId: _, ...command }) => command);
    case "session.opened":
      return { ...state, opened: true };
    case "session.moved":
      return { ...state, cwd: event.cwd };
    case "session.stateReported":
      return { ...state, shellState: event.state };
    case "session.closed":
      return { ...state, closed: true };
    default:
      return endsCommand(event) ? ended(state, event.commandId) : state;
  }
}

function ended(state: SessionState, commandId: CommandId): SessionState {
  const left = {
    ...state,
    promoted: state.promoted.delete(commandId),
    background: state.background.delete(commandId),
  };
  const { current } = left;
  if (current?.commandId !== commandId) return settle(left, commandId);
  // One that has ended before it began, as when it was cancelled, leaves the shell that it has started.
  const { built, shellOrigin = state.shellOrigin } = current;
  return withoutCurrent({ ...left, ...(built && shellOrigin && { shellOrigin }) });
}

/** The session goes on without a running command. */
function released(state: SessionState, commandId: CommandId): SessionState {
  return withoutCurrent({
    ...state,
    promoted: state.promoted.delete(commandId),
    background: state.background.add(commandId),
  });
}

function withoutCurrent({ current: _, ...rest }: SessionState): SessionState {
  return rest;
}

/** The command waits no longer; only one that is cancelled is not the first. */
function settle(state: SessionState, commandId: CommandId): SessionState {
  const { waiting } = state;
  const isFirst = waiting.first()?.commandId === commandId;
  const left = isFirst ? waiting.shift() : waiting.filter((each) => each.commandId !== commandId);
  return { ...state, waiting: left };
}

export function isWaiting({ waiting }: SessionState, commandId: CommandId): boolean {
  return waiting.some((each) => each.commandId === commandId);
}

function change(
  state: SessionState,
  commandId: CommandId,
  how: (command: CurrentCommand) => CurrentCommand,
): SessionState {
  const { current } = state;
  return current?.commandId === commandId ? { ...state, current: how(current) } : state;
}
