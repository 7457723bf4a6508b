import * as v from "valibot";
import { hasEnded, type Task } from "../../task/task-view.ts";
import type { Suite } from "../configuration.ts";
import { findTask } from "../error/find-task.ts";
import { flag, shellId } from "../input-fields.ts";
import { unreadOf } from "../output-of.ts";
import { bodyOf } from "../result/body.ts";
import { commandResult } from "../result/command-result.ts";
import { runnable, type RunnableTool } from "../runnable.ts";
import type { CallContext, ToolResult } from "../tool.ts";
import { endTask } from "./end-task.ts";

const schema = v.strictObject({
  shellId: v.pipe(shellId, v.description("The shell or task.")),
  keep_shell: flag("End the command alone, and keep its shell open."),
});

/**
 * End a command by the kill protocol and report how that went; by the name of its shell, close that
 * with all that waits and runs there. Idempotent.
 */
export function stopTool(suite: Suite): RunnableTool {
  return runnable(schema, (input, context) => stop(suite, input, context));
}

async function stop(
  suite: Suite,
  { shellId, keep_shell: keepShell }: v.InferOutput<typeof schema>,
  context: CallContext,
): Promise<ToolResult> {
  const { runtime, names } = suite;
  const found = findTask(suite, shellId);
  const owner = context.owner ?? suite.owner;
  const others = !keepShell && shellId === found.sessionId ? othersOf(suite, found) : [];
  const claims = [found, ...others].map(({ id }) => runtime.notices.claim(id, owner));
  try {
    // The newest first, so that none of the queue begins.
    for (const { id } of others.slice().reverse()) await runtime.stop(id);
    const survivors = await endTask(suite, found.id, context.signal);
    if (!keepShell && shellId === found.sessionId) runtime.closeSession(shellId);
    const task = runtime.tasks.current.byId.get(found.id) ?? found;
    const { from } = await unreadOf(runtime, task.id, owner);
    const body = await bodyOf(suite, task.id, { from });
    runtime.seen(task.id, owner, body.to);
    if (hasEnded(task)) { for (const claim of claims) claim.release("end"); }
    const wasOver = hasEnded(found);
    const left = survivors.map(({ pid, command }) => `${command} (${pid})`).join(", ");
    const result = commandResult(suite, {
      tool: names.stop,
      task,
      body,
      notes: [
        ...(wasOver ? ["it was over before this call"] : []),
        ...(others.length === 0
          ? []
          : [`also stopped in its shell: ${others.map(({ id }) => id).join(", ")}`]),
        ...(left === "" ? [] : [`survived the stop: ${left}`]),
      ],
      details: { stopped: !wasOver && hasEnded(task) },
    });
    // What was asked for has happened, however the command ended.
    return { ...result, isError: !hasEnded(task) || survivors.length > 0 };
  } finally {
    for (const claim of claims) claim.release();
  }
}

/** What else waits or runs in the shell of a task. */
function othersOf({ runtime }: Suite, { id, sessionId }: Task): readonly Task[] {
  return [...runtime.tasks.current.byId.values()].filter((task) =>
    task.sessionId === sessionId && task.id !== id && !hasEnded(task)
  );
}
