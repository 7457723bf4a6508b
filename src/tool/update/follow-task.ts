import { distinctUntilChanged, filter, map, Subscription } from "rxjs";
import type { CommandId } from "../../event/command.ts";
import { clip } from "../../text/clip.ts";
import { textView } from "../../text/view/text-window.ts";
import { hasEnded, type Task } from "../../task/task-view.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import { growthOf } from "../output-of.ts";
import type { ToolUpdate } from "../tool.ts";

/** Limits of what a person is shown while a command runs. */
export interface FollowTaskOptions {
  /** Milliseconds between two pieces of output; default 100. */
  readonly everyMs?: number | undefined;
  /** Pieces of output in one call; default 10 000. */
  readonly maxDeltas?: number;
  /** UTF-16 code units of output in one call; default 30 000. */
  readonly maxChars?: number;
  /** Bytes of one piece, the newest ones; default 8 KiB. */
  readonly maxBytes?: number;
}

/** Follows a task until it is ended. */
export interface FollowedTask {
  /** Report what is still to be reported, and follow no more. */
  end(): Promise<void>;
}

/**
 * Report how a task goes on: its start, its output as it comes, a fallback, and its end. The
 * last piece of output comes before the end.
 */
export function followTask(
  runtime: Runtime,
  taskId: CommandId,
  report: (update: ToolUpdate) => void,
  { everyMs = 100, maxDeltas = 10_000, maxChars = 30_000, maxBytes = 8 * 1024 }: FollowTaskOptions =
    {},
): FollowedTask {
  const all = new Subscription();
  let at = 0;
  let deltas = 0;
  let chars = 0;
  let last: Promise<void> = Promise.resolve();
  const show = async () => {
    if (deltas >= maxDeltas || chars >= maxChars) return;
    const { total } = await runtime.read(taskId, { from: at, maxBytes: 1 });
    if (total <= at) return;
    const from = Math.max(at, total - maxBytes);
    const { bytes, to } = await runtime.read(taskId, { from, maxBytes });
    const text = clip(textView(bytes, { from }).text, maxChars - chars);
    const skipped = from - at;
    at = to;
    deltas++;
    chars += text.length;
    report({ type: "output", taskId, text, skipped });
  };
  // What cannot be read is not shown; the answer has the error.
  const next = () => last = last.then(show).catch(() => {});
  const task = runtime.tasks.changes.pipe(
    map((table) => table.byId.get(taskId)),
    filter((task) => task !== undefined),
    distinctUntilChanged(),
  );
  let growth: Subscription | undefined;
  let before: Task | undefined;
  all.add(task.subscribe((now) => {
    const was = before;
    before = now;
    if (now.fellBackFrom !== undefined && was?.fellBackFrom === undefined) {
      report({ type: "fallback", taskId, executor: now.executor ?? "process" });
    }
    if (now.startedAt !== undefined && was?.startedAt === undefined) {
      report({ type: "started", taskId, pid: now.pid ?? 0, command: now.command });
      growth = growthOf(runtime, taskId, { from: 0, everyMs }).subscribe(() => void next());
      all.add(growth);
    }
    if (!hasEnded(now) || was !== undefined && hasEnded(was)) return;
    growth?.unsubscribe();
    const { outcome } = now;
    last = next().then(() => {
      if (outcome?.type === "timedOut") report({ type: "timeout", taskId });
      report({
        type: "exited",
        taskId,
        exitCode: outcome?.type === "exited" ? outcome.code : null,
      });
    });
  }));
  return {
    end: async () => {
      await last;
      all.unsubscribe();
    },
  };
}
