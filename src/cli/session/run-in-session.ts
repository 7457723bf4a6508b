import type { Cli } from "../cli.ts";
import { policyOf } from "../rules.ts";
import { askPerson } from "../run/ask.ts";
import { eventPrinter } from "../run/event-printer.ts";
import { exitCodeOf, remark } from "../run/remark.ts";
import { requestOf, type RunCommandOptions } from "../run/run-options.ts";
import { sessionDirectory } from "./session-request.ts";
import { startHost } from "./start-host.ts";
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
  const request = requestFor(command, session, options);
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
      (host) => runBy(host, request, { stdio, signal: stopping.signal }),
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

const SHOW = { "text": "output", "json": "end", "stream-json": "events" } as const;

function requestFor(
  command: string,
  session: SessionRequest,
  options: RunCommandOptions & Pick<Cli, "stdio">,
): RunRequest {
  const { outputFormat, cwd, stdio } = options;
  return {
    command,
    session,
    show: SHOW[outputFormat],
    ...(options.verbose && { verbose: true }),
    asks: stdio.interactive,
    options: {
      ...requestOf(options),
      ...(cwd !== undefined && { cwd: fromCurrentDirectory(cwd) }),
    },
    permission: { ...policyOf(options), workspace: session.cwd },
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
  { stdio, signal }: Pick<Cli, "stdio"> & { readonly signal: AbortSignal },
): Promise<RunResult> {
  let name = "";
  const printEvent = eventPrinter(stdio);
  const onUpdate = async (update: unknown) => {
    if (!isRunUpdate(update)) return;
    if (update.type === "output") return await stdio.out(fromBase64(update.base64));
    if (update.type === "event" && request.show !== "events") return printEvent(update.recorded);
    if (update.type === "event") return await stdio.out(`${JSON.stringify(update.recorded)}\n`);
    if (update.type === "session") name = update.sessionId;
    const note = noteOn(update, name);
    if (note !== undefined) await stdio.err(`${note}\n`);
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
function noteOn(update: RunUpdate, name: string): string | undefined {
  if (update.type === "reset") return resetText(name, update);
  if (update.type !== "session") return undefined;
  const { began, cwd, earlierCwd } = update;
  if (began === "anew") {
    return `Session "${name}" begins anew in ${cwd}; --resume ${name} would have gone on in ${earlierCwd}`;
  }
  return began === "resumed" ? `Session "${name}" is resumed in ${cwd}` : undefined;
}
