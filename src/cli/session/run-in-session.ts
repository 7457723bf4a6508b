import { fromCurrentDirectory } from "../../platform/environment.ts";
import { fromBase64 } from "../../platform/base64.ts";
import { checkDirectory } from "../../platform/file/directories.ts";
import { onStopSignals } from "../../platform/process/signals/stop-signals.ts";
import type { Stdio } from "../../platform/stdio.ts";
import type { Cli } from "../cli.ts";
import { createPolicy } from "../../permission/policy.ts";
import { ownerAt } from "../../runtime/control/client.ts";
import type { RunNews, RunRequest, SessionWish } from "../../runtime/control/guest/run-protocol.ts";
import { chooseSession } from "../../runtime/control/known-sessions.ts";
import { checkRequest } from "../../runtime/request.ts";
import { terminalAsker } from "../run/ask.ts";
import { exitCodeOf } from "../run/exit-code.ts";
import { remark } from "../run/remark.ts";
import { requestOf, type RunCommandOptions } from "../run/run-options.ts";
import { policyOf } from "../rules.ts";
import { reachHost } from "./reach-host.ts";
import { sessionDirectory } from "./session-wish.ts";
import { noteOn } from "./note.ts";

/** How long a host waits for commands, in seconds. */
const IDLE_SECONDS = 15 * 60;

/** Run a command in a session, which goes on in the host of its directory. */
export async function runInSession(
  command: string,
  wish: SessionWish,
  options: RunCommandOptions & Pick<Cli, "stdio">,
): Promise<number> {
  const { stdio } = options;
  const directory = sessionDirectory(options.log);
  const request = requestFor(command, wish, options);
  // What cannot be used starts no host.
  check(request);
  if (wish.gone === "resume") {
    const { sessionsAt } = await import("../../runtime/control/sessions-at.ts");
    chooseSession(await sessionsAt(directory), wish);
  }

  const host = await reachHost(directory, { idleSeconds: options.idle ?? IDLE_SECONDS });
  const listener = new Listener(directory, stdio);
  const stopped = onStopSignals({ stop: () => void (listener.stop() || host.close()) });
  try {
    const result = await host.run(request, (news) => listener.onNews(news));
    if (options.outputFormat === "text") await remark(result, { stdio, background: "kept" });
    else await stdio.out(`${JSON.stringify(result)}\n`);
    return stopped.exitCode ?? exitCodeOf(result);
  } catch (cause) {
    if (stopped.exitCode === undefined) throw cause;
    return stopped.exitCode;
  } finally {
    stopped.forget();
    host.close();
  }
}

const SHOW = { "text": "output", "json": "end", "stream-json": "events" } as const;

function requestFor(
  command: string,
  session: SessionWish,
  options: RunCommandOptions & Pick<Cli, "stdio">,
): RunRequest {
  const { outputFormat, cwd, stdio } = options;
  return {
    op: "run",
    command,
    session,
    show: SHOW[outputFormat],
    asks: stdio.interactive,
    options: {
      ...requestOf(options),
      ...(cwd !== undefined && { cwd: fromCurrentDirectory(cwd) }),
    },
    permission: { ...policyOf(options), workspace: session.cwd },
  };
}

function check({ command, options, permission, session }: RunRequest): void {
  checkRequest(command, { ...options, permission });
  createPolicy({ rules: permission.rules ?? {} });
  const problem = checkDirectory(session.cwd);
  if (problem !== undefined) throw new Error(`Cannot run in "${session.cwd}": ${problem}`);
}

/** Passes on what the host sends. */
class Listener {
  readonly #directory: string;
  readonly #stdio: Stdio;
  readonly #questions = new Map<string, AbortController>();
  #name = "";
  #taskId: string | undefined;

  constructor(directory: string, stdio: Stdio) {
    this.#directory = directory;
    this.#stdio = stdio;
  }

  async onNews(news: RunNews): Promise<void> {
    switch (news.type) {
      case "session":
        this.#name = news.sessionId;
        return await this.#note(news);
      case "reset":
        return await this.#note(news);
      case "accepted":
        this.#taskId = news.taskId;
        return;
      case "output":
        return await this.#stdio.out(fromBase64(news.base64));
      case "event":
        return await this.#stdio.out(`${JSON.stringify(news.recorded)}\n`);
      case "asked":
        // Not waited for: that the question is withdrawn has to be heard meanwhile.
        return void this.#ask(news);
      case "withdrawn":
        return this.#questions.get(news.askId)?.abort();
    }
  }

  /** Have the command ended; answers whether there is one yet. */
  stop(): boolean {
    if (this.#taskId === undefined) return false;
    // What keeps this from being heard ends the conversation, too: the host is gone, or silent.
    this.#end(this.#taskId).catch(() => {});
    return true;
  }

  async #end(taskId: string): Promise<void> {
    const owner = await ownerAt(this.#directory);
    await owner?.stop(taskId);
  }

  async #note(news: RunNews): Promise<void> {
    const note = noteOn(news, this.#name);
    if (note !== undefined) await this.#stdio.err(`${note}\n`);
  }

  async #ask({ askId, command, cwd, concerns }: RunNews & { type: "asked" }): Promise<void> {
    const withdrawn = new AbortController();
    this.#questions.set(askId, withdrawn);
    const question = { order: { command, cwd }, concerns };
    const answer = await terminalAsker(this.#stdio)(question, withdrawn.signal).catch(() =>
      "deny" as const
    );
    this.#questions.delete(askId);
    if (withdrawn.signal.aborted) return;
    // It may be over: then its end is on its way.
    const owner = await ownerAt(this.#directory);
    await owner?.answer(askId, answer).catch(() => {});
  }
}
