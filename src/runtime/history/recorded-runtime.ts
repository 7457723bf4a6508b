import { EMPTY, type Observable, startWith } from "rxjs";
import * as v from "valibot";
import type { CommandId } from "../../event/command.ts";
import type { Notice } from "../../notification/due-notice.ts";
import type { LiveCommand } from "../../notification/notices.ts";
import type { ReadResult } from "../../output/read/read-bytes.ts";
import { ofStream, stderrOf } from "../../output/streams.ts";
import { readTo } from "../../output/reading.ts";
import { hasEnded, type Task } from "../../task/task-view.ts";
import type { ByteSource, SourceRead } from "../../text/source/source.ts";
import { checkFields } from "../../value/check-fields.ts";
import { shownValue } from "../../value/shown.ts";
import { wholeNumber } from "../call/fields.ts";
import type { EventStream } from "../event-stream.ts";
import { type Live, liveAnswer, liveProjection } from "../live.ts";
import { readSource, writtenBy } from "../output/read-output.ts";
import type { ReadTaskOptions } from "../output/readers.ts";
import type { Runtime } from "../runtime.ts";
import { knownTasks } from "../state/recorded-output.ts";
import { showScreen } from "../terminal/screens.ts";
import type { History, Known } from "./history.ts";

/** Which events are wanted: by place, the last one included, and by task. */
export interface EventSelection {
  readonly from?: number;
  readonly to?: number;
  readonly taskId?: CommandId;
}

/** Which bytes of an output are wanted; see {@linkcode ReadTaskOptions}. */
export type ReadRecordedOptions = Pick<ReadTaskOptions, "from" | "maxBytes" | "stream">;

/** The notices of a runtime, as its log has them; they can be looked at, and are never handed out. */
export interface RecordedNotices {
  /** Those of an owner that are due; without an owner, those of all. */
  due(owner?: string): readonly Notice[];
  /** The commands that run in the background. */
  background(owner?: string): readonly LiveCommand[];
}

/** The half of a runtime that is read, as it was recorded: as it is now, or as it was after an event. */
export interface RecordedRuntime
  extends Pick<Runtime, "events" | "project" | "screen" | "sessions" | "tasks" | "unread"> {
  /** The place of the newest event that it knows; 0 before the first one. */
  readonly seq: number;
  /** When that happened, in milliseconds since the epoch. */
  readonly time: number;
  /** The place of the oldest event that is kept; 0 where there is none. */
  readonly firstSeq: number;
  /** The notices, which are not handed out here. */
  readonly notices: RecordedNotices;
  /**
   * The same runtime as it was after an event; 0: before the first one.
   *
   * @throws {RangeError} When no event that is kept has that place or follows it.
   */
  at(seq: number): RecordedRuntime;
  /** The same runtime as it was at a time, in milliseconds since the epoch. */
  atTime(time: number): RecordedRuntime;
  /**
   * Some of the events.
   *
   * @throws {TypeError} When an option cannot be used.
   */
  select(selection: EventSelection): EventStream;
  /**
   * What a task had written, for `excerpt`, `lines`, `search` and `asciicast`; how much a detached
   * one had written is known once it has ended, and for now.
   *
   * @throws {Error} When there was no such task.
   */
  output(taskId: CommandId): ByteSource;
  /**
   * Read what a task had written, wherever it is kept.
   *
   * @throws {TypeError} When an option cannot be used.
   * @throws {Error} When there was no such task, or its bytes cannot be read.
   */
  read(taskId: CommandId, options?: ReadRecordedOptions): Promise<ReadResult>;
}

/** Where the bytes of tasks are. */
export interface RecordedBytes {
  /** Reads a part of what a task wrote. */
  read(
    taskId: CommandId,
    range: { readonly from: number; readonly maxBytes: number },
  ): Promise<SourceRead>;
  /** How many bytes the file of a detached task has. */
  readonly sizeOf: (file: string) => number;
}

const selectionSchema = v.strictObject({
  from: v.optional(wholeNumber, 1),
  to: v.optional(wholeNumber),
  taskId: v.optional(v.string()),
});
const readSchema = v.strictObject({
  from: v.optional(wholeNumber, 0),
  maxBytes: v.optional(v.pipe(wholeNumber, v.minValue(1)), 64 * 1024),
  stream: v.optional(v.picklist(["stdout", "stderr"])),
});

/**
 * What a history knows, as a runtime that is only read.
 *
 * @param fixed What was known then; absent: what is known now.
 */
export function recordedRuntime(
  history: History,
  bytes: RecordedBytes,
  fixed?: Known,
): RecordedRuntime {
  const known = () => fixed ?? history.last;
  const live = <State>(of: (known: Known) => State): Live<State> => {
    const news: Observable<unknown> = fixed === undefined ? history.news : EMPTY;
    return liveAnswer(() => of(known()), news.pipe(startWith("now")));
  };
  const taskOf = (what: string, taskId: CommandId): Task => {
    const { byId } = known().tasks;
    const task = byId.get(taskId);
    if (task !== undefined) return task;
    throw new Error(`Cannot ${what} ${shownValue(taskId)}: ${knownTasks([...byId.keys()])}`);
  };
  const totalOf = (task: Task): number => {
    const isWhole = hasEnded(task) || known() === history.last;
    return isWhole ? writtenBy(task, bytes.sizeOf) : task.totalBytes;
  };
  const select = (selection: EventSelection): EventStream => {
    const cannot = "Cannot select events with";
    const { to = Infinity, ...span } = checkFields(selectionSchema, selection, cannot);
    return history.read({ ...span, to: Math.min(to, fixed?.seq ?? Infinity) });
  };
  const events = select({});
  const ofOwner = <Of extends { readonly owner?: string }>(all: Iterable<Of>, owner?: string) =>
    [...all].filter((one) => owner === undefined || one.owner === owner);
  const runtime: RecordedRuntime = {
    tasks: live(({ tasks }) => tasks),
    sessions: live(({ sessions }) => sessions),
    events,
    notices: {
      due: (owner) => ofOwner(known().notices.due.values(), owner),
      background: (owner) =>
        ofOwner(known().notices.live.values(), owner).filter(({ background }) => background),
    },
    get seq() {
      return known().seq;
    },
    get time() {
      return known().time;
    },
    get firstSeq() {
      return history.firstSeq;
    },
    at: (seq) => {
      const { firstSeq, last } = history;
      const least = Math.max(0, firstSeq - 1);
      if (!Number.isSafeInteger(seq) || seq < least || seq > last.seq) {
        const there = last.seq === 0 ? "there is none" : `there are ${firstSeq} to ${last.seq}`;
        throw new RangeError(`Cannot go to event ${shownValue(seq)}: ${there}`);
      }
      return recordedRuntime(history, bytes, history.upTo(seq));
    },
    atTime: (time) => recordedRuntime(history, bytes, history.at(time)),
    select,
    project: (projection) => liveProjection(projection, events),
    output: (taskId) => ({
      total: totalOf(taskOf("read", taskId)),
      read: (range) => bytes.read(taskId, range),
    }),
    read: async (taskId, options = {}) => {
      const cannot = `Cannot read ${shownValue(taskId)} with`;
      const { stream, ...part } = checkFields(readSchema, options, cannot);
      const ended = hasEnded(taskOf("read", taskId));
      const read = await readSource(runtime.output(taskId), part, ended);
      return stream === undefined
        ? read
        : ofStream(read, stderrOf(known().streams, taskId), stream);
    },
    unread: (taskId, reader) => {
      const total = totalOf(taskOf("read", taskId));
      const from = readTo(known().reading, taskId, reader);
      return { from, to: Math.max(from, total) };
    },
    screen: async (taskId, options = {}) => {
      const task = taskOf("show the screen of", taskId);
      return await showScreen(task, options, { executor: {}, read: runtime.read });
    },
  };
  return runtime;
}
