import type { CommandId } from "../../event/command.ts";
import type { Recorded } from "../../event/event.ts";
import type { OutputAppended } from "../../event/output.ts";
import { messageOf } from "../../platform/failure.ts";
import { Screens } from "../../runtime/terminal/screens.ts";
import type { ScreenSnapshot } from "../../screen/snapshot.ts";
import type { Task } from "../../task/task-view.ts";
import { excerpt } from "../../text/excerpt/excerpt.ts";
import type { SourceRead } from "../../text/source/source.ts";

/** Reads a part of what a task wrote. */
export type ReadOutput = (
  taskId: CommandId,
  range: { readonly from: number; readonly maxBytes: number },
) => Promise<SourceRead>;

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

/** Show a task as it was after the last of its events. */
export async function inspectedTask(
  task: Task,
  events: readonly Recorded[],
  read: ReadOutput,
): Promise<InspectedTask> {
  // The bytes are shown as the output.
  const shown = events.slice(-MOST_EVENTS).map(({ event, ...place }): Recorded =>
    event.type === "output.appended"
      ? { ...place, event: withoutBytes(event) }
      : { ...place, event }
  );
  const view = { task, events: shown };
  try {
    return { ...view, ...await outputOf(task, read) };
  } catch (cause) {
    return { ...view, unreadable: messageOf(cause) };
  }
}

function withoutBytes({ inline: _, ...event }: OutputAppended): OutputAppended {
  return event;
}

async function outputOf(
  task: Task,
  read: ReadOutput,
): Promise<Pick<InspectedTask, "screen" | "text">> {
  const { id, sizes, totalBytes: total } = task;
  if (sizes === undefined) {
    const source = { total, read: (range: Parameters<ReadOutput>[1]) => read(id, range) };
    return { text: (await excerpt(source, { footer: "", maxScanBytes: SCANNED_BYTES })).text };
  }
  const screens = new Screens({
    executor: {},
    read: async (taskId, range) => ({ ...await read(taskId, range), total }),
  });
  return { screen: await screens.show(task, { offset: total, styled: true }) };
}
