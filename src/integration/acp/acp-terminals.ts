import { Observable } from "rxjs";
import * as v from "valibot";
import { checkFields } from "../../value/check-fields.ts";
import type { CommandId } from "../../event/command.ts";
import type { Invocation } from "../../event/env.ts";
import type { Executor } from "../../execution/executor.ts";
import { executorsByKind } from "../../execution/executors-by-kind.ts";
import { cannotStart } from "../../execution/run/cannot-start.ts";
import { type Clock, systemClock } from "../../platform/clock.ts";
import type { ClientTerminals } from "./client-terminals.ts";
import { runInTerminal, type TerminalRun } from "./terminal-run.ts";

/** How commands run in terminals of the client. */
export interface AcpTerminalsOptions {
  /** The session of the client, from `session/new`. */
  readonly sessionId: string;
  /**
   * How many bytes of the output of a command the client keeps; default 262 144. What a command prints
   * beyond that between two readings is missing, and a line in the output says so.
   */
  readonly outputByteLimit?: number;
  /** How long after one reading of the output the next one comes, in milliseconds; default 200. */
  readonly pollMs?: number;
  /** The time of readings and limits; default that of this machine. */
  readonly clock?: Clock;
}

/**
 * Run commands in the terminals of a client of the Agent Client Protocol, such as an editor.
 *
 * The client must have `clientCapabilities.terminal`.
 *
 * @param client `connection.client` of an agent's connection, or `context.client` in a handler of it.
 * @throws {TypeError} When an option cannot be used, with its name and value.
 */
export function acpTerminals(client: ClientTerminals, options: AcpTerminalsOptions): Executor {
  checkFields(schema, options, CANNOT);
  if (typeof client?.createTerminal !== "function") {
    throw new TypeError(`${CANNOT} a client that has no createTerminal()`);
  }
  const { sessionId, outputByteLimit = 262_144, pollMs = 200, clock = systemClock } = options;
  const runs = new Map<CommandId, TerminalRun>();
  const process: Executor = {
    name: "acp",
    capabilities: { terminal: false, input: false, persistent: false, detaches: false },
    refuses: refusal,
    run: (commandId, invocation, sinks) =>
      new Observable((subscriber) => {
        const { file, args, cwd, env, limits } = invocation;
        const reason = refusal(invocation);
        const create = () =>
          client.createTerminal({
            sessionId,
            command: file,
            args: [...args],
            env: Object.entries(env.reveal()).map(([name, value]) => ({ name, value })),
            cwd,
            outputByteLimit,
          });
        const run = runInTerminal({
          commandId,
          limits,
          clock,
          pollMs,
          sinks,
          subscriber,
          failure: (cause) => cannotStart(invocation, cause),
          create: () => reason === undefined ? create() : Promise.reject(new Error(reason)),
        });
        runs.set(commandId, run);
        void run.finished.then(() => runs.delete(commandId));
        return () => void run.stop({ by: "abort" });
      }),
    send: (commandId, message) =>
      message.type === "stop" && runs.get(commandId)?.stop({ by: message.by }) === true,
    close: async () => {
      const all = [...runs.values()];
      for (const run of all) run.stop({ by: "close" });
      await Promise.all(all.map(({ finished }) => finished));
    },
  };
  return executorsByKind({ kinds: { process }, absent: ABSENT });
}

/** Why commands run in processes of their own. */
const ABSENT = {
  shell: "a terminal of the client keeps no shell",
  terminal: "a terminal of the client takes no keys and has no size",
  terminalShell: "a terminal of the client keeps no shell",
};

const CANNOT = "Cannot use terminals of the client with";

const schema = v.strictObject({
  sessionId: v.pipe(v.string(), v.nonEmpty("it must not be empty")),
  outputByteLimit: v.exactOptional(
    v.pipe(v.number(), v.integer("it must be a whole number"), v.minValue(1_024)),
  ),
  pollMs: v.exactOptional(v.pipe(v.number(), v.finite("it must be finite"), v.minValue(1))),
  clock: v.exactOptional(v.looseObject({ after: v.function(), deadline: v.function() })),
});

/** Why a terminal of the client cannot run a command; `undefined` when it can. */
function refusal({ input, detach }: Invocation): string | undefined {
  if (input) return "a terminal of the client takes no input: leave pty and input out";
  return detach ? "a terminal of the client ends with the connection: leave detach out" : undefined;
}
