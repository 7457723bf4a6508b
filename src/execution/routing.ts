import { concat, defer, of } from "rxjs";
import type { Invocation } from "../event/env.ts";
import type { ExecutionFellBack } from "../event/execution.ts";
import type { Executor } from "./executor.ts";

/** The executors between which commands are divided. */
export interface RoutingOptions {
  /** Runs each command in a process of its own. */
  readonly process: Executor;
  /** Runs commands in the shells that their sessions keep. */
  readonly shell: Executor;
}

/**
 * Send the commands for a shell that lives on to one executor, and all others to another.
 *
 * What the shell cannot serve gets a process of its own, after `execution.fellBack`. That is asked
 * before anything of the command is sent: whatever becomes of it later, it never runs twice.
 */
export function routingExecutor({ process, shell }: RoutingOptions): Executor {
  return {
    name: process.name,
    capabilities: { ...process.capabilities, persistent: shell.capabilities.persistent },
    run: (commandId, invocation, sinks) =>
      defer(() => {
        if (invocation.shell === undefined) return process.run(commandId, invocation, sinks);
        const reason = shell.serves?.(invocation);
        if (reason === undefined) return shell.run(commandId, invocation, sinks);
        const fellBack: ExecutionFellBack = {
          type: "execution.fellBack",
          commandId,
          from: shell.name,
          to: process.name,
          reason,
        };
        const instead = defer(() => process.run(commandId, withoutShell(invocation), sinks));
        return concat(of(fellBack), instead);
      }),
    serves: (invocation) => shell.serves?.(invocation),
    send: (commandId, message) =>
      shell.send(commandId, message) || process.send(commandId, message),
    sweep: async (commandId) => await process.sweep?.(commandId) ?? [],
    release: (sessionId, why) => shell.release?.(sessionId, why),
    close: async () => {
      await shell.close();
      await process.close();
    },
  };
}

function withoutShell({ shell: _, ...invocation }: Invocation): Invocation {
  return invocation;
}
