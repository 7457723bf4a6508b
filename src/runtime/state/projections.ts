import type { Projection } from "../../event/project.ts";
import { notices, type NoticeTable } from "../../notification/notices.ts";
import { readingProjection, type ReadingState } from "../../output/reading.ts";
import { streamsProjection, type StreamsState } from "../../output/streams.ts";
import { sessionsProjection, type SessionTable } from "../../session/sessions.ts";
import { tasksProjection, type TaskTable } from "../../task/tasks.ts";

/** Everything that a runtime knows from its events. */
export interface Projected {
  readonly tasks: TaskTable;
  readonly sessions: SessionTable;
  readonly reading: ReadingState;
  readonly streams: StreamsState;
  readonly notices: NoticeTable;
}

/**
 * The one fold of a runtime: over a log when it begins, and then over each new event.
 *
 * @param remembered So many tasks that have ended, and so many closed sessions, are kept; and of so
 *   many tasks how far they were read, and which bytes came from standard error.
 */
export function projectionsOf(remembered = 1_000): Projection<Projected> {
  const tasks = tasksProjection(remembered);
  const sessions = sessionsProjection(remembered);
  const reading = readingProjection(remembered);
  const streams = streamsProjection(remembered);
  return {
    name: "projections",
    initial: {
      tasks: tasks.initial,
      sessions: sessions.initial,
      reading: reading.initial,
      streams: streams.initial,
      notices: notices.initial,
    },
    evolve: (before, recorded) => ({
      tasks: tasks.evolve(before.tasks, recorded),
      sessions: sessions.evolve(before.sessions, recorded),
      reading: reading.evolve(before.reading, recorded),
      streams: streams.evolve(before.streams, recorded),
      notices: notices.evolve(before.notices, recorded),
    }),
  };
}

/** The fold of a runtime that lives, which has to forget. */
export const projections: Projection<Projected> = projectionsOf();
