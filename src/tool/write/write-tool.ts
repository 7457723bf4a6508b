import { hasEnded, type Task } from "../../task/task.ts";
import type { Suite } from "../configuration.ts";
import { findTask, notRunning } from "../error/find-task.ts";
import { ShellError } from "../error/shell-error.ts";
import type { WriteInput } from "../input/write-input.ts";
import type { InputRefusal } from "../port.ts";
import { readTool } from "../read/read-tool.ts";
import type { CallContext, ToolResult } from "../tool.ts";

/** Send input to a running command, then show what it answers. */
export async function writeTool(
  suite: Suite,
  { shellId, input, raw, delay, until }: WriteInput,
  context: CallContext,
): Promise<ToolResult> {
  const { port, names } = suite;
  const task = findTask(suite, shellId);
  if (hasEnded(task)) throw notRunning(suite, task, "write to");
  const refusal = await write(suite, task, raw === true ? input : { keys: input });
  const now = port.tasks.current.byId.get(task.id) ?? task;
  if (refusal !== undefined && hasEnded(now)) throw notRunning(suite, now, "write to");
  if (refusal !== undefined) {
    const ids = { taskId: task.id, shellId: task.sessionId };
    if (refusal.type !== "takesNoInput") {
      throw new ShellError(CODES[refusal.type], refusal.reason, ids);
    }
    throw new ShellError(
      "takes_no_input",
      `Cannot write to "${shellId}": its command ${task.id} takes no input; start it with "input": true` +
        `${suite.capabilities.terminal ? ' or "pty": true' : ""}`,
      ids,
    );
  }
  const read = {
    shellId: task.id,
    delay: delay ?? (until == null ? 2 : undefined),
    // A terminal shows at once what is typed: its program has answered when it waits again.
    until: until ?? (task.sizes === undefined ? undefined : "input"),
  };
  const result = await readTool(suite, read, context);
  return { ...result, details: { ...result.details, tool: names.write } };
}

const CODES = { denied: "denied", notRunning: "busy", cutOff: "takes_no_input" } as const;

async function write(
  { port }: Suite,
  task: Task,
  input: string | { readonly keys: string },
): Promise<InputRefusal | undefined> {
  try {
    return await port.write(task.id, input);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new ShellError("invalid_input", cause.message);
  }
}
