import type { Recorded } from "../../../event/event.ts";
import { SHELL_PARTS } from "../../../event/execution.ts";
import { base64Of } from "../../../platform/base64.ts";
import type { LineConnection } from "../../../platform/control/line-server.ts";
import { checkDirectory, nearestDirectory } from "../../../platform/file/directories.ts";
import type { RunResult } from "../../result.ts";
import type { Running, Runtime } from "../../runtime.ts";
import type { Guests } from "./guests.ts";
import { chooseSession, type ChosenSession, knownSessions } from "../known-sessions.ts";
import { CONTROL_VERSION } from "../protocol.ts";
import type { RunNews, RunRequest } from "./run-protocol.ts";

/** Who is told what becomes of a command, and for whom. */
export interface RunGuest {
  readonly guests: Guests;
  readonly connection: LineConnection;
}

/**
 * Run a command for a guest, and tell it what happens as fast as it listens.
 *
 * The command ends with the connection, unless it was promoted or detached.
 *
 * @returns The result, once all news before it has been told.
 * @throws {Error} When the request cannot be used; nothing has run then.
 */
export async function serveRun(
  runtime: Runtime,
  request: RunRequest,
  { guests, connection }: RunGuest,
): Promise<RunResult> {
  const tell = (news: RunNews) => connection.send(JSON.stringify({ v: CONTROL_VERSION, news }));
  let told: Promise<void> = Promise.resolve();
  // One after the other, so that a slow guest finds them in order; it can only be gone, which ends the command.
  const tellNext = (news: RunNews) => {
    told = told.then(() => tell(news));
    told.catch(() => {});
    return told;
  };

  const known = knownSessions(runtime.sessions.current, runtime.tasks.current);
  const session = chooseSession(known, request.session);
  const news = newsOf(runtime, session.name, request.show === "events", tellNext);
  try {
    open(runtime, session, request.session.cwd, tellNext);
    const running = start(runtime, request, {
      sessionId: session.name,
      signal: connection.closed,
      ...(request.asks && { ask: guests.questions.asker(tellNext) }),
    });
    void tellNext({ type: "accepted", taskId: running.taskId });
    news.begin(running);
    if (request.show === "output") await passOutput(running, tellNext);
    const result = await running.result;
    await told;
    return result;
  } finally {
    news.end();
  }
}

type Tell = (news: RunNews) => Promise<void>;

/** Open a session where it is not open. */
function open(
  runtime: Runtime,
  { name: sessionId, began, cwd: wanted, earlierCwd }: ChosenSession,
  fallback: string,
  tell: Tell,
): void {
  // A directory that was removed since cannot be gone back to.
  const isThere = began === "joined" || checkDirectory(wanted) === undefined;
  const cwd = isThere ? wanted : nearestDirectory(wanted, checkDirectory) ?? fallback;
  const earlier = earlierCwd === undefined ? {} : { earlierCwd };
  void tell({ type: "session", sessionId, began, cwd, ...earlier });
  if (began === "joined") return;
  const reset = { reason: "Its earlier host ended", lost: SHELL_PARTS };
  runtime.openSession(sessionId, { cwd, ...(began === "resumed" && { reset }) });
}

function start(
  runtime: Runtime,
  { command, options, permission }: RunRequest,
  { sessionId, signal, ask }: {
    readonly sessionId: string;
    readonly signal: AbortSignal;
    readonly ask?: ReturnType<Guests["questions"]["asker"]>;
  },
): Running {
  return runtime.start(command, {
    ...options,
    sessionId,
    signal,
    origin: "user",
    // What a session is for; what is to outlive the host has a process of its own.
    ...(options.detach !== true && { executor: "shell" }),
    permission: { ...permission, ...(ask !== undefined && { ask }) },
  });
}

/** Its output as it comes: the command waits for a guest that takes it slowly. */
async function passOutput(running: Running, tell: Tell): Promise<void> {
  const log = await running.output;
  if (log === undefined) return;
  const pass = (bytes: Uint8Array) => tell({ type: "output", base64: base64Of(bytes) });
  await log.pipeTo(pass, { hold: true, until: running.result });
}

/** What is told besides: that the session's shell began anew, and, if that is wanted, every event. */
function newsOf(
  runtime: Pick<Runtime, "events">,
  sessionId: string,
  events: boolean,
  tell: Tell,
) {
  let running: Running | undefined;
  let early: Recorded[] | undefined = [];
  let live = false;
  const hold = events ? heldBack(() => running) : undefined;
  const heard = (recorded: Recorded) => {
    const { event } = recorded;
    const own = "commandId" in event && event.commandId === running?.taskId;
    const ofSession = event.type.startsWith("session.") && "sessionId" in event &&
      event.sessionId === sessionId;
    if (event.type === "session.reset" && ofSession) {
      const { reason, lost } = event;
      void tell({ type: "reset", reason, lost });
    }
    if (!events || !(own || ofSession)) return;
    void tell({ type: "event", recorded }).then(() => {
      if (event.type === "output.appended") hold?.moveTo(event.to);
    }, () => {});
  };
  const listening = runtime.events.subscribe((recorded) => {
    if (!live) return;
    if (early !== undefined) early.push(recorded);
    else heard(recorded);
  });
  live = true;
  return {
    /** From here on it is known which command is meant. */
    begin: (started: Running) => {
      running = started;
      const missed = early ?? [];
      early = undefined;
      for (const recorded of missed) heard(recorded);
      hold?.begin();
    },
    end: () => {
      listening.unsubscribe();
      hold?.release();
    },
  };
}

/** Keeps a command from running ahead of a guest that hears its output in events. */
function heldBack(running: () => Running | undefined) {
  let to = 0;
  let over = false;
  let move = (_to: number) => {};
  let release = () => {};
  return {
    begin: () => {
      void running()?.output.then((log) => {
        if (log === undefined || over) return;
        const hold = log.hold(to);
        move = (to) => hold.moveTo(to);
        release = () => hold.release();
      });
    },
    moveTo: (next: number) => {
      to = next;
      move(to);
    },
    release: () => {
      over = true;
      release();
    },
  };
}
