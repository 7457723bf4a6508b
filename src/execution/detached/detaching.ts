import type { Executor } from "../executor.ts";

/** Send the commands that are to outlive the host to one executor, and all others to another. */
export function detachingExecutor(
  attached: Executor,
  detached: Executor & Required<Pick<Executor, "adopt">>,
): Executor {
  return {
    name: attached.name,
    capabilities: { ...attached.capabilities, detaches: true },
    run: (commandId, invocation, sinks) =>
      (invocation.detach ? detached : attached).run(commandId, invocation, sinks),
    adopt: (adoption) => detached.adopt(adoption),
    send: (commandId, message) =>
      attached.send(commandId, message) || detached.send(commandId, message),
    close: async () => {
      await detached.close();
      await attached.close();
    },
  };
}
