import { firstValueFrom } from "rxjs";
import type { CommandId } from "../../event/command.ts";
import { defined } from "../../value/defined.ts";
import { hasEnded, type Task } from "../../task/task-view.ts";
import { resolveUrls } from "../artifact/urls.ts";
import type { Suite } from "../configuration.ts";
import { knownTask } from "../../runtime/call/known-task.ts";
import { invalidInput, ShellError } from "../error/shell-error.ts";
import { clampedSeconds } from "../input-fields.ts";
import type { SessionView } from "../../session/sessions.ts";
import { type RunInput, runInput } from "./run-input.ts";
import { startCommand } from "./start-command.ts";
import { bodyOf } from "../result/body.ts";
import { commandResult } from "../result/command-result.ts";
import type { TimeLimit } from "../result/status-line.ts";
import { runnable, type RunnableTool } from "../runnable.ts";
import type { CallContext, ToolResult, WaitEnd } from "../tool.ts";
import { followTask } from "../update/follow-task.ts";
import { unlessAborted } from "../wait/unless-aborted.ts";
import { parseUntil, type Until } from "../wait/until.ts";
import { countsAsRead, waitFor } from "../wait/wait.ts";

/** Run a command, and wait for it as long as the call asks for. */
export function runTool(suite: Suite): RunnableTool {
  return runnable(runInput(suite), (input, context) => run(suite, input, context));
}

async function run(suite: Suite, input: RunInput, context: CallContext): Promise<ToolResult> {
  const notBegun = () =>
    new ShellError("stopped", "Cannot run the command: the call was aborted before it began");
  const request = await unlessAborted(resolveUrls(suite, input), context.signal, notBegun);
  const plan = await planOf(suite, request);
  const { runtime } = suite;
  const owner = context.owner ?? suite.owner;
  if (context.signal?.aborted) throw notBegun();
  const { command, shellId, description, cwd, env } = request;
  const { detach = false, pty = false, input: takesInput = false } = request;
  const earlier = shellId === undefined ? undefined : runtime.sessions.current.byId.get(shellId);
  const taskId = startCommand(suite, command, {
    shellId,
    owner,
    detach,
    pty,
    input: takesInput,
    background: plan.background,
    notify: suite.notices,
    origin: "model",
    timeoutMs: plan.limit.effective * 1_000,
    ...defined({ description, cwd, env }),
  });
  context.onTask?.(taskId);
  const endUpdates = followTask(runtime, taskId, context);
  const claim = runtime.notices.claim(taskId, owner);
  try {
    const end = await firstValueFrom(waitFor(suite, taskId, {
      until: plan.until,
      seconds: plan.waitSeconds,
      signal: context.signal,
      steering: suite.steering,
      answersInput: suite.kinds.includes("write"),
      foreground: !plan.background,
    }));
    if (end.type === "aborted" && suite.onAbort === "stop") await runtime.stop(taskId);
    else if (!plan.background) leaveInBackground(suite, taskId, end);
    // Before the output is read: what was written by the end is in it then.
    const task = knownTask(suite.runtime.tasks, "answer for", taskId);
    const body = await bodyOf(suite, taskId, { from: 0, shortens: true });
    if (countsAsRead(context)) {
      runtime.seen(taskId, owner, body.to);
      const isOver = hasEnded(task);
      claim.release(isOver ? "end" : task.waitingForInput === undefined ? undefined : "input");
    }
    return commandResult(suite, {
      tool: suite.names.run,
      task,
      body,
      end,
      limit: plan.limit,
      notes: [...plan.notes, ...newShellNote(suite, task, earlier)],
    });
  } finally {
    claim.release();
    await endUpdates();
  }
}

/** What a call asks for, with every default filled in. */
interface Plan {
  readonly background: boolean;
  readonly until: Until;
  readonly waitSeconds: number;
  readonly limit: TimeLimit;
  readonly notes: readonly string[];
}

async function planOf(suite: Suite, request: RunInput): Promise<Plan> {
  const { mode, detach = false, timeout: asked, initial_wait: initialWait } = request;
  if (detach && mode !== "async") {
    throw invalidInput('detach: it needs "mode": "async"');
  }
  if (detach && asked !== undefined && asked > 0) {
    const message = "timeout: a detached command has none, as it outlives its host";
    throw invalidInput(message);
  }
  const background = mode === "async";
  const until: Until = request.until !== undefined
    ? await parseUntil(request.until)
    : { type: background ? "start" : "exit" };
  const { maxWaitSeconds, maxTimeoutSeconds, autoBackgroundSeconds } = suite;
  const wanted = initialWait ?? Math.min(suite.initialWaitSeconds, maxWaitSeconds);
  const wait = clampedSeconds("initial_wait", wanted, { least: 0, most: maxWaitSeconds });
  const requested = asked ?? (detach ? 0 : suite.timeoutSeconds);
  const limit = detach || requested === 0
    ? { effective: 0, note: undefined }
    : clampedSeconds("timeout", requested, { least: 1, most: maxTimeoutSeconds });
  // A terminal is looked at: it stays with its call.
  const automatic = autoBackgroundSeconds > 0 && !request.pty
    ? Math.min(autoBackgroundSeconds, limit.effective > 1 ? limit.effective - 1 : Infinity)
    : Infinity;
  return {
    background,
    until,
    waitSeconds: Math.min(wait.effective, automatic),
    limit: { requested, effective: limit.effective },
    notes: [wait.note, limit.note].filter((note) => note !== undefined),
  };
}

/** The wait is over and the command is not: from now on it is a background task. */
function leaveInBackground({ runtime }: Suite, taskId: CommandId, end: WaitEnd): void {
  const task = runtime.tasks.current.byId.get(taskId);
  if (task === undefined || hasEnded(task) || task.promotedBy !== undefined) return;
  const isCondition = end.type === "line" || end.type === "output" || end.type === "input";
  const asked = end.type === "steered" || end.type === "aborted";
  runtime.promote(taskId, isCondition ? "condition" : asked ? "user" : "timeout");
}

/** That a shell of the same name had a state which this one lacks, as after a restart of the host. */
function newShellNote(
  { capabilities }: Suite,
  { sessionId, cwd }: Task,
  earlier: SessionView | undefined,
): readonly string[] {
  if (!capabilities.persistent || earlier?.status !== "closed") return [];
  if (earlier.state === undefined && earlier.cwd === cwd) return [];
  const why = earlier.reason === undefined ? "" : ` (${earlier.reason})`;
  return [
    `shellId "${sessionId}" is a new shell: the earlier one, in ${earlier.cwd}, is gone${why}`,
  ];
}
