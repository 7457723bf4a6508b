import { SHELL_STATE_KINDS, type ShellState } from "../event/command.ts";
import type { RuntimeEvent } from "../event/event.ts";
import type { ShellAfter, ShellReset } from "../event/execution.ts";
import type { SessionEvent } from "../event/session.ts";
import type { SessionState } from "./session-state.ts";

const NOTHING: readonly SessionEvent[] = [];

/** What an event of a command means for its session, seen from the state before it. Pure. */
export function react(state: SessionState, event: RuntimeEvent): readonly SessionEvent[] {
  switch (event.type) {
    case "execution.started":
      return event.reset === undefined ? NOTHING : [reset(state, event.reset)];
    case "execution.exited":
      // A command in the background kept its shell: the session has another one.
      return event.shell === undefined || state.current?.commandId !== event.commandId
        ? NOTHING
        : left(state, event.shell);
    default:
      return NOTHING;
  }
}

function left(state: SessionState, shell: ShellAfter): readonly SessionEvent[] {
  const { sessionId } = state;
  return [
    ...(shell.reset === undefined ? [] : [reset(state, shell.reset)]),
    ...(shell.cwd === state.cwd
      ? []
      : [{ type: "session.moved" as const, sessionId, cwd: shell.cwd }]),
    ...(sameNames(shell.state, state.shellState)
      ? []
      : [{ type: "session.stateReported" as const, sessionId, state: shell.state }]),
  ];
}

function reset({ sessionId }: SessionState, { reason, lost }: ShellReset): SessionEvent {
  return { type: "session.reset", sessionId, reason, lost };
}

/** Whether two reports name the same; what is not reported is empty. */
function sameNames(one: ShellState, other: ShellState): boolean {
  return SHELL_STATE_KINDS.every((kind) =>
    JSON.stringify(one[kind] ?? []) === JSON.stringify(other[kind] ?? [])
  );
}
