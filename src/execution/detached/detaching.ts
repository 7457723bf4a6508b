import type { Executor } from "../executor.ts";

/**
 * Send the commands that are to outlive the host to one executor, and all others to another.
 *
 * @param options.starts Whether new ones may be detached; if not, only those of earlier hosts are.
 */
export function detachingExecutor(
  attached: Executor,
  detached: Executor & Required<Pick<Executor, "adopt">>,
  { starts }: { readonly starts: boolean },
): Executor {
  return {
    name: attached.name,
    capabilities: { ...attached.capabilities, detaches: starts },
    run: (commandId, invocation, sinks) =>
      (invocation.detach ? detached : attached).run(commandId, invocation, sinks),
    adopt: (adoption) => detached.adopt(adoption),
    serves: (invocation) => attached.serves?.(invocation),
    send: (commandId, message) =>
      attached.send(commandId, message) || detached.send(commandId, message),
    sweep: async (commandId) => await attached.sweep?.(commandId) ?? [],
    release: (sessionId, why) => attached.release?.(sessionId, why),
    close: async () => {
      await detached.close();
      await attached.close();
    },
  };
}
