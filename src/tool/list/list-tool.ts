import * as v from "valibot";
import { checkFields } from "../../value/check-fields.ts";
import { defined } from "../../value/defined.ts";
import { runnable, type RunnableTool } from "../runnable.ts";
import type { Suite } from "../configuration.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import { hasEnded, type Task, taskMode } from "../../task/task-view.ts";
import { oneLine } from "../../text/clip.ts";
import { named, processList, queuedBehind } from "../result/command-result.ts";
import { endText, workStatus } from "../result/status-line.ts";
import type { CallContext, ListedCommand, ToolResult } from "../tool.ts";

/** So many commands that are over are listed, beside those that have left something running. */
const MAX_ENDED = 20;

/** What the framework answers; it may add fields of its own. */
const foreignAnswer = v.strictObject({
  list: v.array(v.looseObject({
    id: v.string(),
    description: v.string(),
    status: v.picklist(["working", "input_required", "completed", "failed", "cancelled"]),
  })),
});

/** List the commands of an owner: all that run or wait, the newest that ended, and the framework's tasks. */
export function listTool(suite: Suite): RunnableTool {
  return runnable(v.strictObject({}), (_, context) => list(suite, context));
}

async function list(suite: Suite, context: CallContext): Promise<ToolResult> {
  const { runtime, foreign, names } = suite;
  const owner = context.owner ?? suite.owner;
  const own = [...runtime.tasks.current.byId.values()].filter((task) => task.owner === owner);
  const live = own.filter((task) => !hasEnded(task));
  // A synchronous command has been answered: after its end only what it left running is of interest.
  const over = own.filter((task) => hasEnded(task) && (taskMode(task) !== "sync" || isLeft(task)));
  const newest = new Set(over.slice(-MAX_ENDED));
  const ended = over.filter((task) => newest.has(task) || isLeft(task));
  const commands = await Promise.all(
    [...live, ...ended].map((task) => row(suite, task, owner)),
  );
  const others = foreign?.list(owner) ?? [];
  checkFields(foreignAnswer, { list: others }, "Cannot use what foreign answers:");
  const hidden = over.length - ended.length;
  const lines = [
    ...(hidden === 0 ? [] : [`[${hidden} more ended earlier; their ids can still be read]`]),
    ...commands.map(lineOf),
    ...others.map(({ id, status, description, reason }) =>
      `${id}  ${status}  ${description}${reason === undefined ? "" : `  ${reason}`}`
    ),
  ];
  const text = lines.length === 0
    ? "No command runs or was left in the background."
    : lines.join("\n");
  return {
    title: `${live.length + others.filter(({ status }) => status === "working").length} running`,
    text,
    content: [{ audience: "both", text }],
    isError: false,
    details: { tool: names.list, commands, foreign: others },
  };
}

async function row(suite: Suite, task: Task, owner: string): Promise<ListedCommand> {
  const { runtime } = suite;
  const { id: taskId, sessionId: shellId, command, description, startedAt, endedAt } = task;
  // 0 where it runs elsewhere.
  const pid = task.pid === 0 ? undefined : task.pid;
  const { from, to } = runtime.unread(taskId, owner);
  return {
    shellId,
    taskId,
    command: oneLine(command, 120),
    mode: taskMode(task),
    status: hasEnded(task) || task.waitingForInput !== undefined ? workStatus(task) : task.status,
    unread: to - from,
    notify: task.notify !== false,
    retained: await isRetained(runtime, task),
    ...defined({
      description,
      pid,
      startedAt,
      endedAt,
      queuedBehind: queuedBehind(suite, task),
      ended: hasEnded(task) ? endText(task) : undefined,
    }),
    ...(isLeft(task) && { leftovers: named(task.leftovers) }),
  };
}

/** Whether processes of a command that has ended are known to run. */
function isLeft(task: Task): boolean {
  return hasEnded(task) && !task.closed && task.leftovers.length > 0;
}

/** Whether the output of a task can be read. */
async function isRetained({ output, read }: Runtime, task: Task): Promise<boolean> {
  if (!hasEnded(task) || output(task.id) !== undefined) return true;
  return await read(task.id, { maxBytes: 1 }).then(() => true, () => false);
}

function lineOf(
  { shellId, taskId, mode, queuedBehind, retained, leftovers, ...row }: ListedCommand,
): string {
  const { command, description, status, ended, pid, startedAt, endedAt, unread } = row;
  const time = (at: number) => new Date(at).toISOString();
  return [
    shellId,
    taskId,
    mode,
    queuedBehind === undefined ? ended ?? status : `queued behind ${queuedBehind}`,
    ...(pid === undefined ? [] : [`pid ${pid}`]),
    ...(startedAt === undefined ? [] : [`started ${time(startedAt)}`]),
    ...(endedAt === undefined ? [] : [`ended ${time(endedAt)}`]),
    retained ? `unread ${unread} bytes` : "output not kept",
    description === undefined ? command : `${command} (${oneLine(description, 120)})`,
    ...(leftovers === undefined ? [] : [`left running: ${processList(leftovers)}`]),
  ].join("  ");
}
