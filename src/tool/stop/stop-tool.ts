import * as v from "valibot";
import type { SessionId } from "../../event/command.ts";
import { messageOf } from "../../platform/failure.ts";
import { hasEnded, type Task } from "../../task/task-view.ts";
import type { Suite } from "../configuration.ts";
import { findTask, taskNamed } from "../error/find-task.ts";
import { flag, shellId } from "../input-fields.ts";
import { type Body, bodyOf } from "../result/body.ts";
import { commandResult, named, processList } from "../result/command-result.ts";
import { runnable, type RunnableTool } from "../runnable.ts";
import type { CallContext, ToolResult } from "../tool.ts";
import { countsAsRead } from "../wait/wait.ts";

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
  const session = runtime.sessions.current.byId.get(shellId);
  if (!keepShell && session !== undefined && taskNamed(suite, shellId) === undefined) {
    return closeUnused(suite, shellId);
  }
  const found = findTask(suite, shellId);
  const owner = context.owner ?? suite.owner;
  const closes = !keepShell && shellId === found.sessionId;
  const siblings = closes ? siblingsOf(suite, found) : [];
  const others = siblings.filter((task) => !hasEnded(task));
  const left = [found, ...siblings].filter(hasEnded).flatMap(({ leftovers }) => leftovers);
  const claims = [found, ...others].map(({ id }) => runtime.notices.claim(id, owner));
  try {
    // The newest first, so that none of the queue begins.
    const ends = [found, ...siblings].reverse().map(({ id }) => runtime.stop(id));
    const survivors = (await Promise.all(ends)).flat();
    // The shell of a command without a name has closed with it.
    const closesShell = closes && isOpen(suite, shellId);
    if (closes) runtime.closeSession(shellId);
    const ended = runtime.tasks.current.byId.get(found.id) ?? found;
    const task: Task = { ...ended, leftovers: survivors };
    const { from } = runtime.unread(task.id, owner);
    const body = await bodyOf(suite, task.id, { from }).catch(notKept(from));
    if (countsAsRead(context)) {
      runtime.seen(task.id, owner, body.to);
      for (const claim of claims) claim.release("end");
    }
    const wasOver = hasEnded(found);
    const swept = left.filter(({ pid }) => !survivors.some((survivor) => survivor.pid === pid));
    const result = commandResult(suite, {
      tool: names.stop,
      task,
      body,
      notes: [
        ...(wasOver ? ["it was over before this call"] : []),
        ...(others.length === 0
          ? []
          : [`also stopped in its shell: ${others.map(({ id }) => id).join(", ")}`]),
        ...(closesShell ? [`shellId "${shellId}" is closed`] : []),
        ...(swept.length === 0 ? [] : [`ended what was left running: ${processList(swept)}`]),
      ],
      details: {
        stopped: !wasOver,
        ...(swept.length > 0 && { endedLeftovers: named(swept) }),
      },
    });
    // What was asked for has happened, however the command ended.
    return { ...result, isError: survivors.length > 0 };
  } finally {
    for (const claim of claims) claim.release();
  }
}

function isOpen({ runtime }: Suite, shellId: SessionId): boolean {
  const session = runtime.sessions.current.byId.get(shellId);
  return session !== undefined && session.status !== "closed";
}

/** End a shell that has run nothing. */
function closeUnused({ runtime, names }: Suite, shellId: SessionId): ToolResult {
  runtime.closeSession(shellId);
  const text = `shellId "${shellId}" is closed: it has run no command`;
  return {
    title: text,
    text,
    content: [{ audience: "both", text }],
    isError: false,
    details: { tool: names.stop, shellId, stopped: false },
  };
}

/** The command is over, whether or not its output is still there to be shown. */
function notKept(from: number): (cause: unknown) => Body {
  return (cause) => ({ text: `[${messageOf(cause)}]`, from, to: from, atEnd: true });
}

/** The other tasks in the shell of a task of which something waits or runs. */
function siblingsOf({ runtime }: Suite, { id, sessionId }: Task): readonly Task[] {
  return [...runtime.tasks.current.byId.values()].filter((task) =>
    task.sessionId === sessionId && task.id !== id &&
    (!hasEnded(task) || task.leftovers.length > 0)
  );
}
