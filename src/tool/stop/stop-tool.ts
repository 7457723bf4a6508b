import { hasEnded } from "../../task/task.ts";
import type { Suite } from "../configuration.ts";
import { findTask } from "../error/find-task.ts";
import type { StopInput } from "../input/stop-input.ts";
import { bodyOf } from "../result/body.ts";
import { commandResult } from "../result/command-result.ts";
import type { CallContext, ToolResult } from "../tool.ts";
import { endTask } from "./end-task.ts";

/** End a command by the kill protocol, close its shell, and report how that went. Idempotent. */
export async function stopTool(
  suite: Suite,
  { shellId, keep_shell: keepShell }: StopInput,
  context: CallContext,
): Promise<ToolResult> {
  const { port, names } = suite;
  const found = findTask(suite, shellId);
  const { id: taskId, sessionId } = found;
  const owner = context.owner ?? suite.owner;
  const claim = port.notices.claim(taskId, owner);
  try {
    const survivors = await endTask(port, taskId, context.signal);
    if (keepShell !== true && shellId === sessionId) port.closeShell(sessionId);
    const task = port.tasks.current.byId.get(taskId) ?? found;
    const { from } = await port.unread(taskId, owner);
    const body = await bodyOf(suite, taskId, { from });
    port.seen(taskId, owner, body.to);
    if (hasEnded(task)) claim.release("end");
    const wasOver = hasEnded(found);
    const left = survivors.map(({ pid, command }) => `${command} (${pid})`).join(", ");
    const result = commandResult(suite, {
      tool: names.stop,
      task,
      body,
      notes: [
        ...(wasOver ? ["it was over before this call"] : []),
        ...(left === "" ? [] : [`survived the stop: ${left}`]),
      ],
      details: { stopped: !wasOver && hasEnded(task) },
    });
    // What was asked for has happened, however the command ended.
    return { ...result, isError: !hasEnded(task) || survivors.length > 0 };
  } finally {
    claim.release();
  }
}
