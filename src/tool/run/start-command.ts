import type { CommandId } from "../../event/command.ts";
import type { RunOptions } from "../../runtime/call/request.ts";
import type { Suite } from "../configuration.ts";

/**
 * Start a command in the shell of a name, or without one in a shell that closes with it. The command has
 * its place in the queue when this returns; its end is seen in the table of tasks.
 */
export function startCommand(
  { runtime, ids, capabilities, family }: Suite,
  command: string,
  { shellId, ...options }: Omit<RunOptions, "sessionId" | "executor"> & {
    readonly shellId: string | undefined;
  },
): CommandId {
  const sessionId = shellId ?? ids.next("shell");
  const inShell = capabilities.persistent && shellId !== undefined && !options.detach &&
    !options.input;
  const { taskId, result } = runtime.start(command, {
    ...options,
    ...(family === "powershell" && options.origin !== "user" && { dialect: family }),
    sessionId,
    ...(!options.pty && { executor: inShell ? "shell" : "process" }),
  });
  result.catch(() => {});
  if (shellId === undefined) runtime.closeSession(sessionId);
  return taskId;
}
