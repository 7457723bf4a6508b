import { Subscription } from "rxjs";
import type { CommandId } from "../../event/command.ts";
import { clip } from "../../text/clip.ts";
import { textView } from "../../text/view/text-window.ts";
import { hasEnded, type Task } from "../../task/task-view.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import { growthOf } from "../growth.ts";
import type { CallContext } from "../tool.ts";
import { changesOf } from "../wait/wait.ts";

/** What a person is shown at most of one call, in pieces of output and in UTF-16 code units. */
const MOST_PIECES = 10_000;
const MOST_CHARS = 30_000;
/** The bytes of one piece, the newest ones. */
const PIECE_BYTES = 8 * 1024;

/**
 * Report how a task goes on: its start, its output as it comes, a fallback, and its end. The
 * last piece of output comes before the end.
 *
 * @returns Ends that, once what is still to be reported was.
 */
export function followTask(
  runtime: Runtime,
  taskId: CommandId,
  { onUpdate: report, updateEveryMs: everyMs = 100 }: CallContext,
): () => Promise<void> {
  if (report === undefined) return () => Promise.resolve();
  const all = new Subscription();
  let at = 0;
  let pieces = 0;
  let chars = 0;
  let last: Promise<void> = Promise.resolve();
  const show = async () => {
    if (pieces >= MOST_PIECES || chars >= MOST_CHARS) return;
    const { total } = await runtime.read(taskId, { from: at, maxBytes: 1 });
    if (total <= at) return;
    const from = Math.max(at, total - PIECE_BYTES);
    const { bytes, to } = await runtime.read(taskId, { from, maxBytes: PIECE_BYTES, masked: true });
    const shown = textView(bytes, { from });
    // A character that is cut comes with the next piece.
    const end = to - shown.cut.after;
    if (end <= at) return;
    const text = clip(shown.text, MOST_CHARS - chars);
    const skipped = from - at;
    at = end;
    pieces++;
    chars += text.length;
    report({ type: "output", taskId, text, skipped });
  };
  // What cannot be read is not shown; the answer has the error.
  const next = () => last = last.then(show).catch(() => {});
  let growth: Subscription | undefined;
  let before: Task | undefined;
  all.add(
    changesOf(runtime, taskId).subscribe((now) => {
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
    }),
  );
  return async () => {
    await last;
    all.unsubscribe();
  };
}
