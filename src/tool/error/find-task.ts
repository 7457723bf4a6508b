import { hasEnded, type Task } from "../../task/task-view.ts";
import type { Suite } from "../configuration.ts";
import { endingOf } from "../../runtime/call/result.ts";
import { endText, isStop } from "../result/status-line.ts";
import { ShellError, type ShellErrorCategory } from "./shell-error.ts";

/** The task that an id means: that of a task id, or the current or else the last command of a shell. */
export function taskNamed({ runtime }: Pick<Suite, "runtime">, id: string): Task | undefined {
  const { byId } = runtime.tasks.current;
  const session = runtime.sessions.current.byId.get(id);
  return byId.get(id) ?? byId.get(session?.current ?? session?.last ?? "") ??
    byId.findLast(({ sessionId }) => sessionId === id);
}

/** The same, or the error of a tool that needs one. */
export function findTask(suite: Suite, id: string): Task {
  const { runtime, names } = suite;
  const found = taskNamed(suite, id);
  if (found !== undefined) return found;
  if (runtime.sessions.current.byId.has(id)) {
    const message = `Cannot find a command of shell "${id}": it has run none`;
    throw new ShellError("unknown_id", message, { shellId: id });
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

/** The error of a tool that writes, for a command that is over or detached. */
export function notWritable({ names }: Suite, task: Task): ShellError {
  const { id: taskId, sessionId: shellId, detached } = task;
  const ids = { taskId, shellId };
  if (!hasEnded(task) && detached !== undefined) {
    return new ShellError(
      "detached",
      `Cannot write to "${shellId}": its command is detached as process ${detached.pid}; its output is in ` +
        `${detached.log}, its identity in ${detached.pidFile}`,
      ids,
    );
  }
  return new ShellError(
    endClass(task),
    `Cannot write to "${shellId}": its command ${taskId} is over: ${endText(task)}. ` +
      `${names.read} shows its output, ${names.run} starts another one`,
    { ...ids, outcome: endingOf(task).type },
  );
}

/** How a task has ended, as a class. */
function endClass({ status, outcome }: Task): ShellErrorCategory {
  if (status === "cancelled" || isStop(outcome)) return "stopped";
  if (outcome?.type !== "exited") return "failed";
  return outcome.by ? "stopped" : "completed";
}
