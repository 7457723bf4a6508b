import type { Cli } from "../cli.ts";
import { askPerson } from "../run/ask.ts";
import { eventPrinter } from "../run/event-printer.ts";
import { exitCodeOf, remark } from "../run/remark.ts";
import { policyOfRun, requestOf, type RunCommandOptions } from "../run/run-options.ts";
import { sessionDirectory } from "./session-request.ts";
import { startHost } from "./start-host.ts";
import type { Recorded } from "../../event/event.ts";
import { DisconnectedError } from "../../control/conversation-errors.ts";
import type { Conversation } from "../../control/conversation.ts";
import { method } from "../../control/method.ts";
import { fromBase64 } from "../../platform/base64.ts";
import { fromCurrentDirectory } from "../../platform/environment/environment.ts";
import { asUsage, checkCwd } from "../option-values.ts";
import { onStopSignals } from "../../platform/process/signals/stop-signals.ts";
import {
  isRunUpdate,
  type RunRequest,
  type RunUpdate,
  type SessionRequest,
} from "../../runtime/control/guest/run-request.ts";
import { chooseSession } from "../../runtime/control/known-sessions.ts";
import { ask, control } from "../../runtime/control/protocol.ts";
import { withOwner } from "../../runtime/control/with-owner.ts";
import { checkRequest } from "../../runtime/call/request.ts";
import type { RunResult } from "../../runtime/call/result.ts";
import { resetText } from "../../session/reset-text.ts";

/** How long a host waits for commands, in seconds. */
const IDLE_SECONDS = 15 * 60;

/** Run a command in a session, by the host of its directory, which is started where there is none. */
export async function runInSession(
  command: string,
  session: SessionRequest,
  options: RunCommandOptions & Pick<Cli, "stdio">,
): Promise<number> {
  const { stdio, outputFormat } = options;
  const directory = sessionDirectory(options.log);
  const onEvent = outputFormat === "stream-json"
    ? (recorded: Recorded) => stdio.out(`${JSON.stringify(recorded)}\n`)
    : options.verbose
    ? eventPrinter(stdio)
    : undefined;
  const request = requestFor(command, session, { ...options, events: onEvent !== undefined });
  // What cannot be used starts no host.
  await asUsage(check(request));
  if (session.gone === "resume") {
    const { sessionsAt } = await import("../../runtime/control/sessions-at.ts");
    chooseSession(await sessionsAt(directory), session);
  }

  const stopping = new AbortController();
  const stopped = onStopSignals({ stop: () => stopping.abort() });
  try {
    const result = await withOwner(
      directory,
      (host) => runBy(host, request, { stdio, onEvent, signal: stopping.signal }),
      {
        // A question that cannot be answered is denied.
        methods: [
          method(
            ask,
            (question, { signal }) =>
              askPerson(stdio, question, signal).catch(() => "deny" as const),
          ),
        ],
        guests: true,
        otherwise: () => startHost(directory, { idleSeconds: options.idle ?? IDLE_SECONDS }),
      },
    );
    if (outputFormat === "text") await remark(result, { stdio, background: "kept" });
    else await stdio.out(`${JSON.stringify(result)}\n`);
    return stopped.exitCode ?? exitCodeOf(result);
  } catch (cause) {
    if (stopped.exitCode === undefined) throw cause;
    return stopped.exitCode;
  } finally {
    stopped.forget();
  }
}

function requestFor(
  command: string,
  session: SessionRequest,
  options: RunCommandOptions & Pick<Cli, "stdio"> & Pick<RunRequest, "events">,
): RunRequest {
  const { outputFormat, cwd, stdio, events } = options;
  return {
    command,
    session,
    output: outputFormat === "text",
    events,
    asks: stdio.interactive,
    options: {
      ...requestOf(options),
      ...(cwd !== undefined && { cwd: fromCurrentDirectory(cwd) }),
    },
    permission: { ...policyOfRun(options), workspace: session.cwd },
  };
}

async function check({ command, options, permission, session }: RunRequest): Promise<void> {
  checkRequest(command, { ...options, permission });
  checkCwd(session.cwd);
  const { accept } = permission;
  if (accept === undefined) return;
  // The programs with their dangers load where they are asked for.
  const { createPolicy } = await import("../../runtime/permission/create-policy.ts");
  createPolicy({ accept });
}

/** Have a host run a command, and print what it sends meanwhile. */
async function runBy(
  host: Conversation,
  request: RunRequest,
  { stdio, onEvent, signal }: Pick<Cli, "stdio"> & {
    readonly onEvent: ((recorded: Recorded) => Promise<void> | void) | undefined;
    readonly signal: AbortSignal;
  },
): Promise<RunResult> {
  const onUpdate = async (update: unknown) => {
    if (!isRunUpdate(update)) return;
    if (update.type === "output") return await stdio.out(fromBase64(update.base64));
    const note = noteOn(update);
    if (note !== undefined) await stdio.err(`${note}\n`);
    if (update.type === "event") await onEvent?.(update.recorded);
  };
  try {
    return await host.request(control.run, request, { signal, onUpdate });
  } catch (cause) {
    if (!(cause instanceof DisconnectedError)) throw cause;
    const why = `Cannot get the result of "${request.command}": its host is gone`;
    throw new Error(why, { cause });
  }
}

/** What a person has to know about the session of a command. */
function noteOn(update: RunUpdate): string | undefined {
  if (update.type === "event") {
    const { event } = update.recorded;
    return event.type === "session.reset" ? resetText(event.sessionId, event) : undefined;
  }
  if (update.type !== "session") return undefined;
  const { sessionId: name, began, cwd, earlierCwd } = update;
  if (began === "anew") {
    return `Session "${name}" begins anew in ${cwd}; --resume ${name} would have gone on in ${earlierCwd}`;
  }
  return began === "resumed" ? `Session "${name}" is resumed in ${cwd}` : undefined;
}
