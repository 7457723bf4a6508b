import { EMPTY, type Observable, startWith } from "rxjs";
import * as v from "valibot";
import type { CommandId } from "../../event/command.ts";
import type { Projection } from "../../event/project.ts";
import type { Notice } from "../../notification/due-notice.ts";
import type { LiveCommand } from "../../notification/notices.ts";
import type { ReadResult } from "../../output/read/read-bytes.ts";
import { ofStream, stderrOf } from "../../output/streams.ts";
import { readTo } from "../../output/reading.ts";
import type { ScreenSnapshot } from "../../screen/snapshot.ts";
import type { SessionTable } from "../../session/sessions.ts";
import type { ByteRange } from "../../stream/byte-range.ts";
import { hasEnded, type Task } from "../../task/task-view.ts";
import type { TaskTable } from "../../task/tasks.ts";
import type { ByteSource, SourceRead } from "../../text/source/source.ts";
import { checkFields } from "../../value/check-fields.ts";
import { shownValue } from "../../value/shown.ts";
import { wholeNumber } from "../call/fields.ts";
import type { EventStream } from "../event-stream.ts";
import { type Live, liveAnswer, liveProjection } from "../live.ts";
import { readSource } from "../output/read-output.ts";
import type { ReadTaskOptions } from "../output/readers.ts";
import type { Runtime } from "../runtime.ts";
import { knownTasks } from "../state/recorded-output.ts";
import { type ScreenOptions, showScreen } from "../terminal/screens.ts";
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
  sizeOf(file: string): number;
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

/** What a history knows, as a runtime that is only read. */
export class HistoryRuntime implements RecordedRuntime {
  readonly tasks: Live<TaskTable>;
  readonly sessions: Live<SessionTable>;
  readonly events: EventStream;
  readonly notices: RecordedNotices;
  readonly #history: History;
  readonly #bytes: RecordedBytes;
  readonly #fixed: Known | undefined;

  /** @param fixed What was known then; absent: what is known now. */
  constructor(history: History, bytes: RecordedBytes, fixed?: Known) {
    this.#history = history;
    this.#bytes = bytes;
    this.#fixed = fixed;
    this.tasks = this.#live(({ tasks }) => tasks);
    this.sessions = this.#live(({ sessions }) => sessions);
    this.events = this.select({});
    const of = <Of extends { readonly owner?: string }>(all: Iterable<Of>, owner?: string) =>
      [...all].filter((one) => owner === undefined || one.owner === owner);
    this.notices = {
      due: (owner) => of(this.#known.notices.due.values(), owner),
      background: (owner) =>
        of(this.#known.notices.live.values(), owner).filter(({ background }) => background),
    };
  }

  get seq(): number {
    return this.#known.seq;
  }

  get time(): number {
    return this.#known.time;
  }

  get firstSeq(): number {
    return this.#history.firstSeq;
  }

  at(seq: number): RecordedRuntime {
    const { firstSeq, last } = this.#history;
    const least = Math.max(0, firstSeq - 1);
    if (!Number.isSafeInteger(seq) || seq < least || seq > last.seq) {
      const there = last.seq === 0 ? "there is none" : `there are ${firstSeq} to ${last.seq}`;
      throw new RangeError(`Cannot go to event ${shownValue(seq)}: ${there}`);
    }
    return new HistoryRuntime(this.#history, this.#bytes, this.#history.upTo(seq));
  }

  atTime(time: number): RecordedRuntime {
    return new HistoryRuntime(this.#history, this.#bytes, this.#history.at(time));
  }

  select(selection: EventSelection): EventStream {
    const { to = Infinity, ...span } = checkFields(
      selectionSchema,
      selection,
      "Cannot select events with",
    );
    return this.#history.read({ ...span, to: Math.min(to, this.#fixed?.seq ?? Infinity) });
  }

  project<State>(projection: Projection<State>): Live<State> {
    return liveProjection(projection, this.events);
  }

  output(taskId: CommandId): ByteSource {
    const task = this.#task("read", taskId);
    return {
      total: this.#totalOf(task),
      read: (range) => this.#bytes.read(taskId, range),
    };
  }

  async read(taskId: CommandId, options: ReadRecordedOptions = {}): Promise<ReadResult> {
    const cannot = `Cannot read ${shownValue(taskId)} with`;
    const { stream, ...part } = checkFields(readSchema, options, cannot);
    const ended = hasEnded(this.#task("read", taskId));
    const read = await readSource(this.output(taskId), part, ended);
    return stream === undefined
      ? read
      : ofStream(read, stderrOf(this.#known.streams, taskId), stream);
  }

  unread(taskId: CommandId, reader: string): ByteRange {
    const total = this.#totalOf(this.#task("read", taskId));
    const from = readTo(this.#known.reading, taskId, reader);
    return { from, to: Math.max(from, total) };
  }

  async screen(taskId: CommandId, options: ScreenOptions = {}): Promise<ScreenSnapshot> {
    const parts = {
      executor: {},
      read: (id: CommandId, range: ReadRecordedOptions) => this.read(id, range),
    };
    return await showScreen(this.#task("show the screen of", taskId), options, parts);
  }

  get #known(): Known {
    return this.#fixed ?? this.#history.last;
  }

  #live<State>(of: (known: Known) => State): Live<State> {
    const news: Observable<unknown> = this.#fixed === undefined ? this.#history.news : EMPTY;
    return liveAnswer(() => of(this.#known), news.pipe(startWith("now")));
  }

  #task(what: string, taskId: CommandId): Task {
    const { byId } = this.#known.tasks;
    const task = byId.get(taskId);
    if (task !== undefined) return task;
    throw new Error(`Cannot ${what} ${shownValue(taskId)}: ${knownTasks([...byId.keys()])}`);
  }

  /** Events do not say how much a detached task writes: its bytes go to a file. */
  #totalOf(task: Task): number {
    const { detached, totalBytes } = task;
    const isWhole = hasEnded(task) || this.#known === this.#history.last;
    if (detached === undefined || !isWhole) return totalBytes;
    return Math.max(totalBytes, this.#bytes.sizeOf(detached.log));
  }
}
