import { filter, firstValueFrom } from "rxjs";
import type { SessionId } from "../../../event/command.ts";
import { hasEnded } from "../../../task/task-view.ts";
import type { Runtime } from "../../runtime.ts";

/**
 * End what runs and waits in a session, and then the session.
 *
 * @throws {Error} When there is no such session.
 */
export async function endSession(
  runtime: Pick<Runtime, "sessions" | "tasks" | "stop" | "closeSession">,
  sessionId: SessionId,
): Promise<void> {
  const { sessions, tasks } = runtime;
  if (!sessions.current.byId.has(sessionId)) {
    throw new Error(`Cannot end session "${sessionId}": there is no such session`);
  }
  const ends = [...tasks.current.byId.values()]
    .filter((task) => task.sessionId === sessionId && !hasEnded(task))
    .map(({ id }) => runtime.stop(id));
  runtime.closeSession(sessionId);
  const isClosed = filter(() => sessions.current.byId.get(sessionId)?.status === "closed");
  const closed = firstValueFrom(sessions.changes.pipe(isClosed), { defaultValue: undefined });
  await Promise.all([closed, ...ends]);
}
