import { takeLast, toArray } from "rxjs";
import type { Recorded } from "../../event/event.ts";
import type { OutputAppended } from "../../event/output.ts";
import { messageOf } from "../../platform/failure.ts";
import type { RecordedRuntime } from "../../runtime/history/recorded-runtime.ts";
import type { ScreenSnapshot } from "../../screen/snapshot.ts";
import type { Task } from "../../task/task-view.ts";
import { excerpt } from "../../text/excerpt/excerpt.ts";

/** A task, and what it had written. */
export interface InspectedTask {
  readonly task: Task;
  /** Its newest events. */
  readonly events: readonly Recorded[];
  /** What its terminal showed; absent: it has none. */
  readonly screen?: ScreenSnapshot;
  /** An excerpt of what it had written; absent: it has a terminal. */
  readonly text?: string;
  /** Why there is neither of both. */
  readonly unreadable?: string;
}

/** At most so many events of a task are shown. */
const MOST_EVENTS = 500;
/** Of a long output, so much is searched for errors: a page asks again with each news. */
const SCANNED_BYTES = 1024 * 1024;

/** Show a task as it was at a moment. */
export async function inspectedTask(moment: RecordedRuntime, task: Task): Promise<InspectedTask> {
  let events: readonly Recorded[] = [];
  moment.select({ taskId: task.id }).pipe(takeLast(MOST_EVENTS), toArray())
    .subscribe((newest) => events = newest);
  // The bytes are shown as the output.
  const shown = events.map(({ event, ...place }): Recorded =>
    event.type === "output.appended"
      ? { ...place, event: withoutBytes(event) }
      : { ...place, event }
  );
  const view = { task, events: shown };
  try {
    return { ...view, ...await outputOf(moment, task) };
  } catch (cause) {
    return { ...view, unreadable: messageOf(cause) };
  }
}

function withoutBytes({ inline: _, ...event }: OutputAppended): OutputAppended {
  return event;
}

async function outputOf(
  moment: RecordedRuntime,
  { id, sizes }: Task,
): Promise<Pick<InspectedTask, "screen" | "text">> {
  if (sizes !== undefined) return { screen: await moment.screen(id, { styled: true }) };
  const options = { footer: "", maxScanBytes: SCANNED_BYTES };
  return { text: (await excerpt(moment.output(id), options)).text };
}
