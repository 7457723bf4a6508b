import * as v from "valibot";
import { defined } from "../../value/defined.ts";
import { runnable, type RunnableTool } from "../runnable.ts";
import type { Suite } from "../configuration.ts";
import { hasEnded, type Task } from "../../task/task-view.ts";
import { oneLine } from "../../text/clip.ts";
import { named, processList } from "../result/command-result.ts";
import { endText, workStatus } from "../result/status-line.ts";
import type { CallContext, ListedCommand, ToolResult } from "../tool.ts";

/** So many commands that are over are listed. */
const MAX_ENDED = 20;

/** List the commands of an owner: all that run or wait, the newest that ended, and the framework's tasks. */
export function listTool(suite: Suite): RunnableTool {
  return runnable(v.strictObject({}), (_, context) => list(suite, context));
}

function list(
  suite: Suite,
  context: CallContext,
): ToolResult {
  const { runtime, foreign, names } = suite;
  const owner = context.owner ?? suite.owner;
  const own = [...runtime.tasks.current.byId.values()].filter((task) => task.owner === owner);
  const live = own.filter((task) => !hasEnded(task));
  // A synchronous command has been answered: after its end only what it left running is of interest.
  const ended = own.filter((task) => hasEnded(task) && (modeOf(task) !== "sync" || isLeft(task)))
    .slice(-MAX_ENDED);
  const commands = [...live, ...ended].map((task) => row(suite, task, owner));
  const others = foreign?.list(owner) ?? [];
  const lines = [
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

function row({ runtime }: Suite, task: Task, owner: string): ListedCommand {
  const { id: taskId, sessionId: shellId, command, description, startedAt } = task;
  // 0 where it runs elsewhere.
  const pid = task.pid === 0 ? undefined : task.pid;
  const { from, to } = runtime.unread(taskId, owner);
  return {
    shellId,
    taskId,
    command: oneLine(command, 120),
    mode: modeOf(task),
    status: hasEnded(task) || task.waitingForInput !== undefined ? workStatus(task) : task.status,
    unread: to - from,
    ...defined({ description, pid, startedAt, ended: hasEnded(task) ? endText(task) : undefined }),
    ...(isLeft(task) && { leftovers: named(task.leftovers) }),
  };
}

/** Whether processes of a command that has ended are known to run. */
function isLeft(task: Task): boolean {
  return hasEnded(task) && !task.closed && task.leftovers.length > 0;
}

function modeOf({ detached, promotedBy, background }: Task): ListedCommand["mode"] {
  if (detached !== undefined) return "detached";
  if (background === true) return "async";
  return promotedBy === undefined ? "sync" : "promoted";
}

function lineOf(
  { shellId, taskId, command, description, mode, status, pid, startedAt, unread, ended, leftovers }:
    ListedCommand,
): string {
  return [
    shellId,
    taskId,
    mode,
    ended ?? status,
    ...(pid === undefined ? [] : [`pid ${pid}`]),
    ...(startedAt === undefined ? [] : [`started ${new Date(startedAt).toISOString()}`]),
    `unread ${unread} bytes`,
    description === undefined ? command : `${command} (${oneLine(description, 120)})`,
    ...(leftovers === undefined ? [] : [`left running: ${processList(leftovers)}`]),
  ].join("  ");
}
