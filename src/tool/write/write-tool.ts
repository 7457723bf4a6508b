import { hasEnded } from "../../task/task.ts";
import type { Suite } from "../configuration.ts";
import { findTask, notRunning } from "../error/find-task.ts";
import { ShellError } from "../error/shell-error.ts";
import type { WriteInput } from "../input/write-input.ts";
import { inputParts } from "../keys.ts";
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
  const parts = raw === true ? [{ type: "text" as const, text: input }] : inputParts(input);
  const refusal = await port.write(task.id, parts);
  const now = port.tasks.current.byId.get(task.id) ?? task;
  if (refusal !== undefined && hasEnded(now)) throw notRunning(suite, now, "write to");
  if (refusal !== undefined) {
    throw new ShellError(
      "takes_no_input",
      `Cannot write to "${shellId}": its command ${task.id} takes no input; start it with "input": true` +
        `${suite.capabilities.terminal ? ' or "pty": true' : ""}`,
      { taskId: task.id, shellId: task.sessionId },
    );
  }
  const read = { shellId: task.id, delay: delay ?? (until == null ? 2 : undefined), until };
  const result = await readTool(suite, read, context);
  return { ...result, details: { ...result.details, tool: names.write } };
}
