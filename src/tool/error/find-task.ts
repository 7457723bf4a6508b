import type { CommandId } from "../../event/command.ts";
import { hasEnded, type Task } from "../../task/task-view.ts";
import type { Suite } from "../configuration.ts";
import { endText } from "../result/status-line.ts";
import { ShellError, type ShellErrorCategory } from "./shell-error.ts";

/**
 * The task that an id means: that of a task id, or the current or else the last command of a shell.
 *
 * @throws {ShellError} `unknown_id`, with the ids that there are.
 */
export function findTask({ runtime, names }: Suite, id: string): Task {
  const table = runtime.tasks.current;
  const task = table.byId.get(id);
  if (task !== undefined) return task;
  const session = runtime.sessions.current.byId.get(id);
  const commandId: CommandId | undefined = session?.current ?? session?.last;
  const found = (commandId !== undefined ? table.byId.get(commandId) : undefined) ??
    table.byId.findLast(({ sessionId }) => sessionId === id);
  if (found !== undefined) return found;
  if (session !== undefined) {
    throw new ShellError("unknown_id", `Cannot find a command of shell "${id}": it has run none`, {
      shellId: id,
    });
  }
  const known = [...runtime.sessions.current.byId.keys()].slice(-10);
  const there = known.length === 0
    ? "no command has run"
    : `the newest shells are ${known.map((id) => `"${id}"`).join(", ")}`;
  throw new ShellError(
    "unknown_id",
    `Cannot find "${id}": there is no such shell or task, or it is forgotten; ${there}. ${names.list} lists them`,
  );
}

/** A task that a tool has started or found. */
export function knownTask({ runtime }: Suite, id: CommandId): Task {
  const task = runtime.tasks.current.byId.get(id);
  if (task === undefined) throw new Error(`Cannot answer for "${id}": the task is forgotten`);
  return task;
}

/** Why a task takes nothing any more, as a class. */
export function endClass(task: Task): ShellErrorCategory {
  if (!hasEnded(task)) return task.detached === undefined ? "busy" : "detached";
  switch (task.status) {
    case "cancelled":
      return "stopped";
    case "ended":
      if (task.outcome?.type === "exited") return task.outcome.by ? "stopped" : "completed";
      return task.stopping !== undefined || isStop(task) ? "stopped" : "failed";
    default:
      return "failed";
  }
}

function isStop({ outcome }: Task): boolean {
  return outcome?.type === "aborted" || outcome?.type === "signaled" && outcome.by !== "unknown";
}

/**
 * The error of a tool that needs a running command.
 *
 * @param what What could not be done, as `write to`.
 */
export function notRunning(suite: Suite, task: Task, what: string): ShellError {
  const { id: taskId, sessionId: shellId, detached } = task;
  const ids = { taskId, shellId };
  const category = endClass(task);
  if (category === "detached" && detached !== undefined) {
    return new ShellError(
      category,
      `Cannot ${what} "${shellId}": its command is detached as process ${detached.pid}; its output is in ` +
        `${detached.log}, its identity in ${detached.pidFile}`,
      ids,
    );
  }
  return new ShellError(
    category,
    `Cannot ${what} "${shellId}": its command ${taskId} is over: ${
      endText(task)
    }. ${suite.names.read} shows ` +
      `its output, ${suite.names.run} starts another one`,
    ids,
  );
}
