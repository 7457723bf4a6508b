import type { CallContext } from "../../../control/method.ts";
import type { Recorded } from "../../../event/event.ts";
import { SHELL_PARTS } from "../../../event/execution.ts";
import type { Asker } from "../../../permission/asker.ts";
import { base64Of } from "../../../platform/base64.ts";
import type { RunResult } from "../../call/result.ts";
import type { Running, Runtime } from "../../runtime.ts";
import { chooseSession, knownSessions } from "../known-sessions.ts";
import { ask } from "../protocol.ts";
import type { RunRequest, RunUpdate } from "./run-request.ts";
import { defined } from "../../../value/defined.ts";

type SendUpdate = (update: RunUpdate) => Promise<void>;

/**
 * Run a command for another process, and report its progress as fast as that reads.
 *
 * The command ends with the request, unless it was promoted or detached.
 */
export async function serveRun(
  runtime: Runtime,
  request: RunRequest,
  { request: askPeer, signal, update: send }: CallContext,
): Promise<RunResult> {
  const update: SendUpdate = (update) => send(update);
  const asker: Asker = ({ order: { command, cwd }, concerns }, signal) =>
    askPeer(ask, { command, cwd, concerns }, { signal });
  const known = knownSessions(runtime.sessions.current, runtime.tasks.current);
  const { name: sessionId, began, cwd, earlierCwd } = chooseSession(known, request.session);
  const events = passEvents(runtime, { sessionId, all: request.events, update });
  try {
    void update({ type: "session", sessionId, began, cwd, ...defined({ earlierCwd }) });
    if (began !== "joined") {
      const reset = { reason: "Its earlier host ended", lost: SHELL_PARTS };
      runtime.openSession(sessionId, { cwd, ...(began === "resumed" && { reset }) });
    }
    const running = runtime.start(request.command, {
      ...request.options,
      sessionId,
      signal,
      origin: "user",
      // What a session is for; a command that outlives the host has a process of its own.
      ...(request.options.detach !== true && { executor: "shell" }),
      // The asker of the host does not answer for a caller that answers no questions.
      permission: { ...request.permission, ask: request.asks ? asker : "none" },
    });
    events.of(running.taskId);
    if (request.output) {
      await passOutput(running, update).catch(() => running.stop("abort"));
    }
    return await running.result;
  } finally {
    events.end();
  }
}

/** Send the output as it comes: the command waits for a reader that is slow. */
async function passOutput(running: Running, update: SendUpdate): Promise<void> {
  const log = await running.output;
  if (log === undefined) return;
  for await (const { bytes } of log.pieces({ hold: true, until: running.result })) {
    await update({ type: "output", base64: base64Of(bytes) });
  }
}

/** Send that the session's shell was replaced or, if `all`, every event of the command and its session. */
function passEvents(
  runtime: Pick<Runtime, "events">,
  { sessionId, all, update }: {
    readonly sessionId: string;
    readonly all: boolean;
    readonly update: SendUpdate;
  },
) {
  let taskId: string | undefined;
  const pass = (recorded: Recorded) => {
    const { event } = recorded;
    const ofCommand = "commandId" in event && event.commandId === taskId;
    const ofSession = event.type.startsWith("session.") && "sessionId" in event &&
      event.sessionId === sessionId;
    const isWanted = all ? ofCommand || ofSession : ofSession && event.type === "session.reset";
    if (isWanted) void update({ type: "event", recorded });
  };
  let live = false;
  const subscription = runtime.events.subscribe((recorded) => {
    // The first events come before the call that starts the command returns its id.
    if (live) queueMicrotask(() => pass(recorded));
  });
  live = true;
  return {
    of: (id: string) => {
      taskId = id;
    },
    end: () => subscription.unsubscribe(),
  };
}
