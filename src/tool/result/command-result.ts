import type { CommandId } from "../../event/command.ts";
import type { Leftover } from "../../event/leftover.ts";
import { refusal } from "../../runtime/call/refusal.ts";
import { endingOf } from "../../runtime/call/result.ts";
import { resetText } from "../../session/reset-text.ts";
import { hasEnded, type Task } from "../../task/task-view.ts";
import { oneLine } from "../../text/clip.ts";
import { defined } from "../../value/defined.ts";
import type { Suite } from "../configuration.ts";
import type { ToolDetails, ToolResult, ToolText, WaitEnd } from "../tool.ts";
import type { Body } from "./body.ts";
import { exitNote } from "./exit-note.ts";
import { statusLine, type TimeLimit, workStatus } from "./status-line.ts";

/** What an answer about one command is made of. */
export interface CommandAnswer {
  readonly tool: string;
  readonly task: Task;
  readonly body: Body;
  readonly end?: WaitEnd;
  readonly limit?: TimeLimit;
  /** What else the reader has to know. */
  readonly notes?: readonly string[];
  /** What is particular to the tool. */
  readonly details?: Pick<ToolDetails, "unread" | "stopped" | "endedLeftovers">;
}

/** Processes as data of an answer. */
export function named(
  processes: readonly Leftover[],
): readonly Pick<Leftover, "pid" | "command">[] {
  return processes.map(({ pid, command }) => ({ pid, command }));
}

/** The answer about one command: its output, how it stands, and what to do next. */
export function commandResult(suite: Suite, answer: CommandAnswer): ToolResult {
  const { task, body, end, limit, notes = [] } = answer;
  // A shell that was closed since is no new one.
  const shellReset = isClosed(suite, task) ? undefined : task.shellReset;
  const status = statusLine(task, end, limit);
  const { outcome } = task;
  const ahead = queuedBehind(suite, task);
  const note = outcome?.type === "exited" ? exitNote(task.command, outcome.code) : undefined;
  const facts = [
    note === undefined ? status : `${status} (${note})`,
    ...(ahead === undefined ? [] : [`queued behind ${ahead}`]),
    ...(task.cwdAfter !== undefined && task.cwdAfter !== task.cwd
      ? [`directory: ${task.cwdAfter}`]
      : []),
    ...(shellReset === undefined ? [] : [resetText(task.sessionId, shellReset)]),
    ...(task.leftovers.length > 0 && hasEnded(task)
      ? [`left running: ${processList(task.leftovers)}`]
      : []),
    ...(task.removed === undefined ? [] : [`run without ${task.removed.join(" and ")}`]),
    ...refusalLines(task, body, suite),
    ...notes,
  ];
  const next = answer.tool === suite.names.stop ? undefined : nextStep(suite, task);
  const isPart = body.from > 0 || !hasEnded(task);
  const content: readonly ToolText[] = [
    { audience: "both", text: body.text === "" ? `(no ${isPart ? "new " : ""}output)` : body.text },
    { audience: "both", text: facts.join("\n") },
    ...(next === undefined ? [] : [{ audience: "model" as const, text: next }]),
  ];
  return {
    title: titleOf(task, status),
    text: content.map(({ text }) => text).join("\n"),
    content,
    isError: isError(suite, task, { end, note }),
    details: { ...detailsOf(answer), ...defined({ queuedBehind: ahead, shellReset }) },
  };
}

/** The command that has the shell for which a task waits. */
export function queuedBehind({ runtime }: Suite, task: Task): CommandId | undefined {
  if (task.status !== "queued") return undefined;
  return runtime.sessions.current.byId.get(task.sessionId)?.current;
}

function isClosed({ runtime }: Suite, { sessionId }: Task): boolean {
  return runtime.sessions.current.byId.get(sessionId)?.status === "closed";
}

function refusalLines(
  task: Task,
  { text }: Body,
  { capabilities: { sandbox } }: Suite,
): readonly string[] {
  const refused = refusal(task, text, sandbox);
  return refused === undefined ? [] : [refused];
}

/** So many processes are named in an answer; its details have all. */
const MAX_PROCESSES = 20;

export function processList(processes: readonly Leftover[]): string {
  const named = processes.slice(0, MAX_PROCESSES).map(({ pid, command }) => `${command} (${pid})`);
  const others = processes.length - named.length;
  return `${named.join(", ")}${others === 0 ? "" : `, and ${others} more`}`;
}

function nextStep({ names, kinds, notices }: Suite, task: Task): string | undefined {
  if (hasEnded(task)) {
    return task.leftovers.length > 0 && kinds.includes("stop")
      ? `End what is left running with ${names.stop} ${JSON.stringify({ shellId: task.id })}.`
      : undefined;
  }
  // The name of its shell means the command that it waits for, or the next one where it has left its shell.
  const isNamed = task.status !== "queued" && task.promotedBy === undefined;
  const shellId = isNamed ? task.sessionId : task.id;
  const call = (input: Readonly<Record<string, string>>) => JSON.stringify({ shellId, ...input });
  const type = `${names.write} ${call({ input: "…{enter}" })}`;
  const writes = kinds.includes("write");
  if (task.waitingForInput !== undefined && writes) {
    return `Answer with ${type}, or end it with ${names.stop}.`;
  }
  const typed = writes && task.takesInput ? `Type into it with ${type}. ` : "";
  const read = kinds.includes("read")
    ? `Wait for it with ${names.read} ${call({ until: "exit" })}. `
    : "";
  const notice = notices && task.notify !== false
    ? "You get a notice when it ends: do not poll."
    : "No notice follows.";
  return `${typed}${read}${notice}`;
}

function titleOf({ command, description }: Task, status: string): string {
  return `${oneLine(description ?? command, 80)} — ${oneLine(status, 80)}`;
}

function isError(
  { nonZeroIsError }: Suite,
  task: Task,
  { end, note }: { readonly end: WaitEnd | undefined; readonly note: string | undefined },
): boolean {
  if (!hasEnded(task)) return end?.type === "aborted";
  const { outcome } = task;
  if (outcome?.type !== "exited") return true;
  return outcome.code !== 0 && nonZeroIsError && note === undefined;
}

function detailsOf({ tool, task, body, end, limit, details }: CommandAnswer): ToolDetails {
  const { id: taskId, sessionId: shellId, outcome, cwd, cwdAfter, durationMs, leftovers } = task;
  return {
    tool,
    status: workStatus(task),
    shellId,
    taskId,
    exitCode: outcome?.type === "exited" ? outcome.code : null,
    range: { from: body.from, to: body.to },
    ...defined({
      outcome: hasEnded(task) ? endingOf(task).type : undefined,
      signal: outcome?.type === "signaled" ? outcome.signal : undefined,
      cwd: cwd === undefined ? undefined : { before: cwd, after: cwdAfter ?? cwd },
      durationMs,
      timeout: limit,
      truncation: body.truncation,
      waitEnded: end?.type === "ended" ? undefined : end?.type,
    }),
    ...(leftovers.length > 0 && { leftovers: named(leftovers) }),
    ...details,
  };
}
