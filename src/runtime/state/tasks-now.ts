import type { Leftover } from "../../event/leftover.ts";
import { DETACHED_MARK } from "../../execution/tree/marks.ts";
import { MARK } from "../../platform/process/mark.ts";
import { ProcessTree } from "../../execution/tree/process-tree.ts";
import { hostProcesses } from "../../platform/process/host-processes.ts";
import type { Processes, ProcessTable } from "../../platform/process/processes.ts";
import { hasEnded, type Task } from "../../task/task-view.ts";
import { writtenBy } from "../output/read-output.ts";

/**
 * Tasks of this machine as they are now, with what no event says: how much a detached task has written,
 * as its bytes go to a file, and which processes an ended task has left.
 */
export function tasksNow(
  tasks: readonly Task[],
  processes: Processes = hostProcesses(),
): readonly Task[] {
  const table = processes.table(true);
  const marked = pidsByTask(table);
  return tasks.map((task) => ({
    ...withFileSize(task),
    leftovers: hasEnded(task) ? leftOf(task, processes, marked.get(task.id) ?? []) : [],
  }));
}

/** A task with how much it has written, also where it is detached. */
export function withFileSize(task: Task): Task {
  return { ...task, totalBytes: writtenBy(task) };
}

/** The processes that carry the mark of each task, in one pass for all tasks. */
function pidsByTask(table: ProcessTable): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const { pid } of table.all) {
    for (const variable of [MARK, DETACHED_MARK]) {
      for (const mark of table.variable(pid, variable)?.split(" ") ?? []) {
        const id = mark.slice(mark.indexOf("/") + 1);
        found.set(id, [...found.get(id) ?? [], pid]);
      }
    }
  }
  return found;
}

/** The known leftovers that still run and the marked processes, with all that they have started. */
function leftOf(
  { leftovers }: Task,
  processes: Processes,
  marked: readonly number[],
): readonly Leftover[] {
  const { all } = processes.table();
  const known = leftovers.filter(({ pid, startTime }) =>
    all.some((process) => process.pid === pid && process.startTime === startTime)
  );
  const pids = [...known.map(({ pid }) => pid), ...marked];
  if (pids.length === 0) return [];
  const tree = new ProcessTree(processes, { children: () => pids, isMark: () => false });
  return tree.describe(tree.members());
}
