import type { CommandId } from "../../event/command.ts";
import { hasEnded, type Task } from "../../task/task.ts";
import type { Suite } from "../configuration.ts";
import { findTask } from "../error/find-task.ts";
import { ShellError } from "../error/shell-error.ts";
import { clampedSeconds, unset } from "../input/fields.ts";
import { defaultDelay, type ReadInput } from "../input/read-input.ts";
import { unreadOf } from "../output-of.ts";
import { type Body, bodyOf } from "../result/body.ts";
import { commandResult } from "../result/command-result.ts";
import type { CallContext, ToolResult } from "../tool.ts";
import { parseUntil, type Until } from "../wait/until.ts";
import { type WaitEnd, waitFor } from "../wait/wait.ts";
import { joinedResults } from "./joined-results.ts";
import { searchedBody } from "./searched-body.ts";

/** Show the output of one or several commands: what is new for the owner, a part, or what matches. */
export async function readTool(
  suite: Suite,
  input: ReadInput,
  context: CallContext,
): Promise<ToolResult> {
  const wish = wishOf(suite, input);
  const ids = typeof input.shellId === "string" ? [input.shellId] : input.shellId;
  const taskIds = [...new Set(ids.map((id) => findTask(suite, id).id))];
  const owner = context.owner ?? suite.owner;
  const claims = taskIds.map((taskId) => suite.runtime.notices.claim(taskId, owner));
  const over = new AbortController();
  const cancel = () => over.abort();
  context.signal?.addEventListener("abort", cancel, { once: true });
  if (context.signal?.aborted) cancel();
  try {
    // The first wait that is over ends the others: several are read to learn which has news.
    const ends = await Promise.all(taskIds.map(async (taskId) => {
      const end = await wait(suite, taskId, { wish, owner, signal: over.signal });
      over.abort();
      return end;
    }));
    const results: ToolResult[] = [];
    for (const [i, taskId] of taskIds.entries()) {
      const end = ends[i]?.type === "aborted" && !context.signal?.aborted ? undefined : ends[i];
      results.push(await answer(suite, taskId, { wish, owner, end, release: claims[i]?.release }));
    }
    return joinedResults(suite.names.read, results);
  } finally {
    context.signal?.removeEventListener("abort", cancel);
    for (const claim of claims) claim.release();
  }
}

/** What a read is to show, and for what it waits. */
interface Wish {
  readonly until: Until;
  readonly seconds: number;
  readonly from: number | undefined;
  readonly search: string | undefined;
  readonly context: number;
  readonly notes: readonly string[];
}

function wishOf({ maxWaitSeconds }: Suite, input: ReadInput): Wish {
  const { until, search } = unset({ until: input.until, search: input.search });
  const wanted = input.delay ?? (until === undefined ? 0 : defaultDelay(maxWaitSeconds));
  const { effective, note } = clampedSeconds("delay", wanted, { least: 0, most: maxWaitSeconds });
  return {
    until: until === undefined ? { type: "output" } : parseUntil(until),
    seconds: effective,
    from: input.from ?? undefined,
    search,
    context: input.context ?? 0,
    notes: note === undefined ? [] : [note],
  };
}

async function wait(
  suite: Suite,
  taskId: CommandId,
  { wish, owner, signal }: {
    readonly wish: Wish;
    readonly owner: string;
    readonly signal: AbortSignal;
  },
): Promise<WaitEnd | undefined> {
  const { until, seconds } = wish;
  if (seconds === 0) return undefined;
  const { from } = await unreadOf(suite.runtime, taskId, owner);
  const { steering } = suite;
  const options = { until, seconds, from: wish.from ?? from, signal, steering };
  try {
    return await waitFor(suite, taskId, { ...options, answersInput: true, foreground: false });
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new ShellError("invalid_input", `until: ${cause.message}`);
  }
}

async function answer(
  suite: Suite,
  taskId: CommandId,
  { wish, owner, end, release }: {
    readonly wish: Wish;
    readonly owner: string;
    readonly end: WaitEnd | undefined;
    readonly release: ((reported?: "end" | "input") => void) | undefined;
  },
): Promise<ToolResult> {
  const { runtime, names, maxOutputChars } = suite;
  // Before the output is read: what was written by the end is in it then.
  const task = runtime.tasks.current.byId.get(taskId);
  if (task === undefined) throw new Error(`Cannot answer for "${taskId}": the task is forgotten`);
  const { from } = await unreadOf(runtime, taskId, owner);
  const start = wish.from ?? from;
  const body = wish.search === undefined
    ? await shownBody(suite, task, {
      from: start,
      ...(wish.from !== undefined && { to: start + maxOutputChars }),
    })
    : await searchedBody(suite, taskId, {
      expression: wish.search,
      context: wish.context,
      from: wish.from ?? 0,
    });
  if (wish.search === undefined) {
    runtime.seen(taskId, owner, body.to);
    release?.(hasEnded(task) ? "end" : task.waitingForInput === undefined ? undefined : "input");
  }
  return commandResult(suite, {
    tool: names.read,
    task,
    body,
    ...(end !== undefined && { end }),
    notes: [...wish.notes, ...readOnNote(suite, task, body)],
    details: { unread: Math.max(0, (await unreadOf(runtime, taskId, owner)).to - body.to) },
  });
}

async function shownBody(
  suite: Suite,
  task: Task,
  range: { readonly from: number; readonly to?: number },
): Promise<Body> {
  try {
    return await bodyOf(suite, task.id, range);
  } catch (cause) {
    // Its output is not kept any more: retention took it.
    throw new ShellError(
      "reclaimed",
      cause instanceof Error ? cause.message : String(cause),
      { taskId: task.id, shellId: task.sessionId },
    );
  }
}

function readOnNote({ names }: Suite, { id }: Task, { to, atEnd }: Body): readonly string[] {
  if (atEnd) return [];
  return [`there is more: ${names.read} ${JSON.stringify({ shellId: id, from: to })}`];
}
