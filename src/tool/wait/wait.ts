import {
  defer,
  distinctUntilChanged,
  EMPTY,
  exhaustMap,
  filter,
  map,
  merge,
  Observable,
  switchMap,
  take,
} from "rxjs";
import type { CommandId } from "../../event/command.ts";
import type { Clock } from "../../platform/clock.ts";
import { abortOf } from "../../stream/abort-of.ts";
import { hasEnded, type Task } from "../../task/task-view.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import type { Suite } from "../configuration.ts";
import { growthOf } from "../growth.ts";
import type { CallContext, WaitEnd } from "../tool.ts";
import type { Until } from "./until.ts";

/** What to wait for, and how long. */
export interface WaitOptions {
  readonly until: Until;
  /** In seconds; time in which a person is asked does not count. */
  readonly seconds: number;
  /** The offset from which on output is new; default 0. */
  readonly from?: number;
  readonly signal?: AbortSignal | undefined;
  readonly steering?: Observable<unknown> | undefined;
  /** A command that asks for input ends the wait, whatever that is for. */
  readonly answersInput?: boolean;
  readonly foreground?: boolean;
}

/** How long a command may take to end after the output that ends a wait, in milliseconds. */
const END_FOLLOWS_MS = 50;

/** Wait for a task: the one way in which every tool does. Emits once. */
export function waitFor(
  { runtime }: Pick<Suite, "runtime">,
  taskId: CommandId,
  options: WaitOptions,
): Observable<WaitEnd> {
  const { until, from = 0, signal, steering = EMPTY } = options;
  const { clock } = runtime;
  const task = changesOf(runtime, taskId);
  const before = runtime.tasks.current.byId.get(taskId)?.waitingForInput;
  const ends = task.pipe(
    map((task) => endOf(task, runtime, { ...options, before })),
    filter((end) => end !== undefined),
  );
  const news = newsOf(runtime, taskId, { until, from }).pipe(
    exhaustMap((end) =>
      new Observable<WaitEnd>((seen) => clock.after(END_FOLLOWS_MS, () => seen.next(end)))
    ),
  );
  return merge(
    abortOf(signal).pipe(map((): WaitEnd => ({ type: "aborted" }))),
    news,
    ends,
    steering.pipe(map((): WaitEnd => ({ type: "steered" }))),
    timeOver(clock, task, options.seconds),
  ).pipe(take(1));
}

/** What is waited for in the output of a task. */
function newsOf(
  runtime: Runtime,
  taskId: CommandId,
  { until, from }: { readonly until: Until; readonly from: number },
): Observable<WaitEnd> {
  switch (until.type) {
    case "line":
      return until.matches(runtime, taskId, from).pipe(map((text) => ({ type: "line", text })));
    case "output":
      return growthOf(runtime, taskId, { from }).pipe(map(() => ({ type: "output" })));
    default:
      return EMPTY;
  }
}

/** A task as it is now, and each time that it changes. */
export function changesOf({ tasks }: Runtime, taskId: CommandId): Observable<Task> {
  return tasks.changes.pipe(
    map((table) => table.byId.get(taskId)),
    filter((task) => task !== undefined),
    distinctUntilChanged(),
  );
}

/** Whether a state of the task is what was waited for, or makes waiting pointless. */
function endOf(
  task: Task,
  { sessions }: Pick<Runtime, "sessions">,
  { until, answersInput, foreground, before }: WaitOptions & {
    readonly before: Task["waitingForInput"];
  },
): WaitEnd | undefined {
  if (hasEnded(task)) return { type: "ended" };
  if (foreground && task.promotedBy !== undefined) return { type: "promoted" };
  const asks = task.waitingForInput !== undefined;
  // A program that took keys already when the wait began goes on without.
  const isNews = before?.keys !== true || task.waitingForInput !== before;
  if (asks && ((answersInput && isNews) || until.type === "input")) return { type: "input" };
  if (until.type !== "start") return undefined;
  if (task.status === "running") return { type: "started" };
  const current = sessions.current.byId.get(task.sessionId)?.current;
  const behind = current !== undefined && current !== task.id;
  return task.status === "queued" && behind ? { type: "queued" } : undefined;
}

/** Whether what an answer shows counts as read: few callers pass the answer of an aborted call on. */
export function countsAsRead({ signal }: Pick<CallContext, "signal">): boolean {
  return signal?.aborted !== true;
}

/** Emits when so much time has passed, without that in which a person was asked. */
function timeOver(clock: Clock, task: Observable<Task>, seconds: number): Observable<WaitEnd> {
  return defer(() => {
    let leftMs = seconds * 1_000;
    return task.pipe(
      map(({ status }) => status === "asking"),
      distinctUntilChanged(),
      switchMap((asking) =>
        asking ? EMPTY : new Observable<WaitEnd>((subscriber) => {
          const start = clock.monotonic();
          const cancel = clock.after(leftMs, () => subscriber.next({ type: "time", seconds }));
          return () => {
            leftMs = Math.max(0, leftMs - (clock.monotonic() - start));
            cancel();
          };
        })
      ),
    );
  });
}
