import { defined } from "../../value/defined.ts";
import type { CommandRequested, Limits, TerminalSetup } from "../../event/command.ts";
import { EnvValues } from "../../event/env-values.ts";
import { DEFAULT_SIZE } from "../../platform/terminal/terminals.ts";
import { leadingCd } from "../../session/fold-cd.ts";
import type { RuntimeOptions } from "../options/options.ts";
import type { RunOptions } from "./request.ts";

/** The event that a request becomes, once it is checked and has its session. */
export function requested(
  command: string,
  options: RunOptions,
  { commandId, sessionId, cwd, defaults }: Pick<CommandRequested, "commandId" | "sessionId"> & {
    /** Where the command is to run, if that is not where its session stands. */
    readonly cwd: string | undefined;
    /** They have the limits of commands that say nothing of those themselves. */
    readonly defaults: RuntimeOptions;
  },
): CommandRequested {
  const { origin = "model", dialect, description, env, executor, owner, detach } = options;
  const { background, notify, input, split } = options;
  const terminal = terminalOf(options);
  return {
    type: "command.requested",
    commandId,
    sessionId,
    command,
    origin,
    limits: limitsOf(command, options, defaults),
    ...defined({
      dialect,
      description,
      cwd,
      env: env && new EnvValues(env),
      executor,
      owner,
      terminal,
    }),
    ...(detach === true && { detach }),
    ...(input && { input }),
    ...(split === true && { split }),
    ...(background === true && { background }),
    ...(notify === false && { notify }),
  };
}

function terminalOf({ pty = false }: RunOptions): TerminalSetup | undefined {
  if (pty === false) return undefined;
  return pty === true ? DEFAULT_SIZE : pty;
}

/** The limits of a command: its own, or else those of the runtime; 0 means none. */
function limitsOf(command: string, options: RunOptions, defaults: RuntimeOptions): Limits {
  if (options.detach === true) return {};
  const exempt = (defaults.noTimeout ?? []).some((start) => beginsWith(command, start));
  const timeoutMs = options.timeoutMs ?? (exempt ? 0 : defaults.timeoutMs ?? 0);
  const idleTimeoutMs = options.idleTimeoutMs ?? (exempt ? 0 : defaults.idleTimeoutMs ?? 0);
  const promotes = (options.onTimeout ?? defaults.onTimeout) === "promote";
  return {
    ...(timeoutMs > 0 && (promotes ? { promoteAfterMs: timeoutMs } : { timeoutMs })),
    ...(idleTimeoutMs > 0 && { idleTimeoutMs }),
  };
}

/** Whether a line begins with these words, by itself or behind the one `cd DIRECTORY &&` in front of it. */
function beginsWith(line: string, start: string): boolean {
  const text = line.trim();
  return [text, leadingCd(text)?.rest].some((from) =>
    from?.startsWith(start) && !/[^\s;&|<>()]/.test(from.charAt(start.length))
  );
}
