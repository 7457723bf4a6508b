import {
  defer,
  distinctUntilChanged,
  EMPTY,
  exhaustMap,
  filter,
  firstValueFrom,
  fromEvent,
  map,
  merge,
  Observable,
  of,
  switchMap,
  take,
} from "rxjs";
import type { CommandId } from "../../event/command.ts";
import type { Clock } from "../../platform/clock.ts";
import { hasEnded, type Task } from "../../task/task-view.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import type { Suite } from "../configuration.ts";
import { growthOf } from "../output-of.ts";
import type { Until } from "./until.ts";
import type { WaitEnd } from "./wait-end.ts";

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

/** Wait for a task: the one way in which every tool does. */
export async function waitFor(
  { runtime }: Pick<Suite, "runtime">,
  taskId: CommandId,
  options: WaitOptions,
): Promise<WaitEnd> {
  const { until, from = 0, signal, steering } = options;
  const { clock } = runtime;
  const task = changesOf(runtime, taskId);
  const before = runtime.tasks.current.byId.get(taskId)?.waitingForInput;
  const unlessEnded = exhaustMap((end: WaitEnd) =>
    new Observable<WaitEnd>((seen) => clock.after(END_FOLLOWS_MS, () => seen.next(end)))
  );
  return await firstValueFrom(
    merge(
      aborted(signal),
      until.type === "line"
        ? until.matches(runtime, taskId, from).pipe(
          map((text): WaitEnd => ({ type: "line", text })),
          unlessEnded,
        )
        : EMPTY,
      until.type === "output"
        ? growthOf(runtime, taskId, { from }).pipe(
          map((): WaitEnd => ({ type: "output" })),
          unlessEnded,
        )
        : EMPTY,
      task.pipe(
        map((task) => endOf(task, runtime, { ...options, before })),
        filter((end) => end !== undefined),
      ),
      steering?.pipe(map((): WaitEnd => ({ type: "steered" }))) ?? EMPTY,
      timeOver(clock, task, options.seconds),
    ).pipe(take(1)),
  );
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

function aborted(signal: AbortSignal | undefined): Observable<WaitEnd> {
  if (signal === undefined) return EMPTY;
  const abort: Observable<unknown> = signal.aborted ? of(true) : fromEvent(signal, "abort");
  return abort.pipe(map((): WaitEnd => ({ type: "aborted" })));
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
