import { firstValueFrom, map, merge } from "rxjs";
import * as v from "valibot";
import type { CommandId } from "../../event/command.ts";
import { hasEnded, type Task } from "../../task/task-view.ts";
import type { Suite } from "../configuration.ts";
import { knownTask } from "../../runtime/call/known-task.ts";
import { answered } from "../error/answered.ts";
import { findTask } from "../error/find-task.ts";
import { ShellError } from "../error/shell-error.ts";
import { amount, checkExpression, clampedSeconds, shellId, text } from "../input-fields.ts";
import { maskedOutput } from "../../runtime/output/masked-output.ts";
import { searchText } from "../../text/search/search-text.ts";
import { search } from "../../text/search/search.ts";
import { type Body, bodyOf } from "../result/body.ts";
import { commandResult } from "../result/command-result.ts";
import { runnable, type RunnableTool } from "../runnable.ts";
import type { CallContext, ToolResult, WaitEnd } from "../tool.ts";
import { parseUntil, type Until } from "../wait/until.ts";
import { countsAsRead, waitFor } from "../wait/wait.ts";
import { messageOf } from "../../platform/failure.ts";

function schemaOf({ maxWaitSeconds }: Suite) {
  const whole = v.pipe(v.number(), v.integer("it is no whole number"));
  const several = v.pipe(
    v.array(shellId),
    v.minLength(1, "it is empty"),
    v.maxLength(20, "there are more than 20"),
  );
  return v.strictObject({
    shellId: v.pipe(
      v.union([shellId, several]),
      v.description("A shell or task, or several."),
    ),
    delay: amount(
      `Seconds to wait at most, 0 to ${maxWaitSeconds}; default 0, or ${
        defaultDelay(maxWaitSeconds)
      } with "until".`,
    ),
    until: text('What to wait for: "output" (default), "exit", "input" or "/regular expression/".'),
    from: amount("Read from this byte on, in place of what is new.", whole),
    search: text(
      "Show only the lines that match this regular expression (RE2), with their numbers.",
    ),
    context: amount("Lines around each match, default 0.", v.pipe(whole, v.maxValue(50))),
  });
}

type ReadInput = v.InferOutput<ReturnType<typeof schemaOf>>;

/** The default of `delay` with `until`, in seconds. */
function defaultDelay(maxWaitSeconds: number): number {
  return Math.min(30, maxWaitSeconds);
}

/** Show the output of one or several commands: what is new for the owner, a part, or what matches. */
export function readTool(suite: Suite): RunnableTool {
  return runnable(schemaOf(suite), (input, context) => read(suite, input, context));
}

async function read(suite: Suite, input: ReadInput, context: CallContext): Promise<ToolResult> {
  const plan = await planOf(suite, input);
  const taskIds = [...new Set([input.shellId].flat().map((id) => findTask(suite, id).id))];
  const owner = context.owner ?? suite.owner;
  const claims = taskIds.map((taskId) => suite.runtime.notices.claim(taskId, owner));
  try {
    const first = await firstEnd(suite, taskIds, { plan, owner, signal: context.signal });
    // An abort and a message end the waits for all of them.
    const endsAll = first?.end.type === "aborted" || first?.end.type === "steered";
    const results: ToolResult[] = [];
    // One answer has one limit: what one command leaves of it, the next ones have.
    let { maxOutputChars: chars, maxOutputLines: lines } = suite;
    for (const [i, taskId] of taskIds.entries()) {
      const parts = taskIds.length - i;
      // Of each one something: that it has no output would be wrong.
      const limits = {
        maxOutputChars: Math.max(1, Math.ceil(chars / parts)),
        maxOutputLines: Math.max(1, Math.ceil(lines / parts)),
      };
      const end = endsAll || first?.taskId === taskId ? first?.end : undefined;
      const release = countsAsRead(context) ? claims[i]?.release : undefined;
      const part = { plan, owner, end, release };
      // What the others have is reported as read by then: an error must not take its place.
      const result = await answered(
        suite.names.read,
        () => answer({ ...suite, ...limits }, taskId, part),
      );
      chars -= Math.min(limits.maxOutputChars, result.text.length);
      lines -= Math.min(limits.maxOutputLines, result.text.split("\n").length);
      results.push(result);
    }
    return joinedResults(suite.names.read, results);
  } finally {
    for (const claim of claims) claim.release();
  }
}

/** What a read is to show, and for what it waits how long. */
interface ReadPlan extends Omit<ReadInput, "until"> {
  readonly until: Until;
  readonly seconds: number;
  readonly notes: readonly string[];
}

async function planOf({ maxWaitSeconds }: Suite, input: ReadInput): Promise<ReadPlan> {
  const { until, search } = input;
  if (search !== undefined) await checkExpression("search", search);
  const wanted = input.delay ?? (until === undefined ? 0 : defaultDelay(maxWaitSeconds));
  const { effective, note } = clampedSeconds("delay", wanted, { least: 0, most: maxWaitSeconds });
  return {
    ...input,
    until: until === undefined ? { type: "output" } : await parseUntil(until),
    seconds: effective,
    notes: note === undefined ? [] : [note],
  };
}

/** The first wait that is over ends the others: several are read to learn which has news. */
async function firstEnd(
  suite: Suite,
  taskIds: readonly CommandId[],
  { plan: { until, seconds, from: start }, owner, signal }: {
    readonly plan: ReadPlan;
    readonly owner: string;
    readonly signal: AbortSignal | undefined;
  },
): Promise<{ readonly taskId: CommandId; readonly end: WaitEnd } | undefined> {
  if (seconds === 0) return undefined;
  const { runtime, steering } = suite;
  const waits = taskIds.map((taskId) => {
    const from = start ?? runtime.unread(taskId, owner).from;
    const options = { until, seconds, from, signal, steering, answersInput: true };
    return waitFor(suite, taskId, options).pipe(map((end) => ({ taskId, end })));
  });
  return await firstValueFrom(merge(...waits));
}

async function answer(
  suite: Suite,
  taskId: CommandId,
  { plan, owner, end, release }: {
    readonly plan: ReadPlan;
    readonly owner: string;
    readonly end: WaitEnd | undefined;
    /** Reports what is shown; absent where it stays unread. */
    readonly release: ((reported?: "end" | "input") => void) | undefined;
  },
): Promise<ToolResult> {
  const { runtime, names } = suite;
  // Before the output is read: what was written by the end is in it then.
  const task = knownTask(suite.runtime.tasks, "answer for", taskId);
  const { from, to } = runtime.unread(taskId, owner);
  const start = Math.min(plan.from ?? from, to);
  const isBeyond = plan.from !== undefined && plan.from > to;
  const body = await orReclaimed(
    task,
    plan.search === undefined
      ? bodyOf(suite, taskId, {
        from: start,
        ...(plan.from === undefined ? { shortens: true } : { page: true }),
      })
      : searchedBody(suite, taskId, { ...plan, expression: plan.search }),
  );
  if (plan.search === undefined && release !== undefined) {
    // Nothing was shown from there: what comes before that place stays unread.
    if (!isBeyond) runtime.seen(taskId, owner, body.to);
    release(hasEnded(task) ? "end" : task.waitingForInput === undefined ? undefined : "input");
  }
  return commandResult(suite, {
    tool: names.read,
    task,
    body,
    ...(end !== undefined && { end }),
    notes: [
      ...plan.notes,
      ...(isBeyond ? [`from ${plan.from} is beyond the output, which has ${to} bytes`] : []),
      ...readOnNote(suite, task, body),
    ],
    details: { unread: Math.max(0, runtime.unread(taskId, owner).to - body.to) },
  });
}

/** The lines of an output that match, with their numbers. */
async function searchedBody(
  { runtime, maxOutputChars: maxChars }: Suite,
  taskId: CommandId,
  { expression, context = 0, from = 0 }: Pick<ReadInput, "context" | "from"> & {
    readonly expression: string;
  },
): Promise<Body> {
  const source = await maskedOutput(runtime, taskId);
  const around = { before: context, after: context };
  const found = await search(source, expression, { from, ...around, maxChars });
  const more = (to: number) => `there may be more matches from byte ${to} on`;
  const text = searchText(found, { apart: context > 0, more }).trimEnd();
  return { text, from, to: found.to, atEnd: true };
}

async function orReclaimed(
  { id: taskId, sessionId: shellId }: Task,
  body: Promise<Body>,
): Promise<Body> {
  try {
    return await body;
  } catch (cause) {
    if (cause instanceof ShellError) throw cause;
    // Its output is not kept any more: retention took it.
    throw new ShellError("reclaimed", messageOf(cause), { taskId, shellId });
  }
}

function readOnNote({ names }: Suite, { id }: Task, { to, atEnd }: Body): readonly string[] {
  if (atEnd) return [];
  return [`there is more: ${names.read} ${JSON.stringify({ shellId: id, from: to })}`];
}

/** One answer out of several, each under its title; an error only where all are. */
function joinedResults(tool: string, results: readonly ToolResult[]): ToolResult {
  const [first, ...others] = results;
  if (first !== undefined && others.length === 0) return first;
  const headed = results.map(({ title, text, details }) =>
    `== ${details.shellId} (${details.taskId}): ${title}\n${text}`
  );
  const text = headed.join("\n\n");
  return {
    title: `${results.length} commands`,
    text,
    content: [{ audience: "both", text }],
    isError: results.length > 0 && results.every(({ isError }) => isError),
    details: { tool, commands: results.map(({ details }) => details) },
  };
}
