import type { Variables } from "../../env/build-environment.ts";
import type { CommandRequested } from "../../event/command.ts";
import { EnvValues } from "../../event/env-values.ts";
import type { Session } from "../../session/actor.ts";
import type { PrepareSession } from "../../session/preparation.ts";
import { bash, READONLY } from "../../shell/bash.ts";
import { defined } from "../../value/defined.ts";
import { shownValue } from "../../value/shown.ts";
import type { OnSession } from "./on-session.ts";
import type { RunOptions } from "./request.ts";
import type { RunResult } from "./result.ts";

/** What the preparation of a session needs. */
export interface PreparationOptions extends Pick<PrepareSession, "limitMs" | "reason"> {
  readonly session: () => Session;
  /** Starts a command of the hook in the session. */
  readonly run: (command: string, options: RunOptions) => Promise<RunResult>;
}

/** The preparation of a session by a hook; what the hook throws is what went wrong. */
export function preparation(
  onSession: OnSession,
  { session, limitMs, reason, run }: PreparationOptions,
): PrepareSession {
  return {
    limitMs,
    reason,
    run: async ({ owner }: CommandRequested, signal) => {
      const { id: sessionId, state: { cwd } } = session();
      const env = await onSession({ sessionId, cwd, ...defined({ owner }) }, {
        reason,
        signal,
        run: async (command, options = {}) => {
          if (!signal.aborted) return await run(command, { ...options, signal });
          throw new Error(`Cannot run "${command}": the preparation of the session is over`);
        },
      });
      if (env === undefined) return undefined;
      return new EnvValues(checked(env));
    },
  };
}

/** @throws {TypeError} For the first variable that no command can have, without its value. */
function checked(env: Variables): Variables {
  if (typeof env !== "object" || env === null || Array.isArray(env)) {
    throw new TypeError(
      `Cannot use the answer of onSession, ${shownValue(env)}: variables are an object`,
    );
  }
  for (const [name, value] of Object.entries(env)) {
    const why = whyNot(name, value);
    if (why !== undefined) throw new TypeError(`Cannot set variable ${shownValue(name)}: ${why}`);
  }
  return env;
}

function whyNot(name: string, value: unknown): string | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    return "a name has letters, digits and _ only, and no digit first";
  }
  if (typeof value !== "string") return "its value must be a string";
  if (value.includes("\0")) return "its value contains NUL";
  if (READONLY.test(name)) return "it is read-only in bash";
  const changes = bash.dangerousVariables.some((each) =>
    each.endsWith("*") ? name.startsWith(each.slice(0, -1)) : each === name
  );
  return changes ? "it changes what a line means" : undefined;
}
