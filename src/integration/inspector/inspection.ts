import { type Observable, Subject, Subscription } from "rxjs";
import * as v from "valibot";
import type { CommandId } from "../../event/command.ts";
import type { Recorded } from "../../event/event.ts";
import { fileSize } from "../../platform/file/file-bytes.ts";
import { History } from "../../runtime/history/history.ts";
import { type RecordedRuntime, recordedRuntime } from "../../runtime/history/recorded-runtime.ts";
import { checkFields } from "../../value/check-fields.ts";
import type { SourceRead } from "../../text/source/source.ts";
import { inspectedTask } from "./inspected-task.ts";

/** Reads a part of what a task wrote. */
export type ReadOutput = (
  taskId: CommandId,
  range: { readonly from: number; readonly maxBytes: number },
) => Promise<SourceRead>;

/** What can be inspected: a runtime, a recorded one, or what has its events and its output. */
export interface Inspected {
  /** The events so far, and each new one. */
  readonly events: Observable<Recorded>;
  /** Ends a task; absent: the page cannot. */
  readonly stop?: (taskId: CommandId) => Promise<unknown>;
  /** Whether the runtime that adds the events may live; absent: it does until they end. */
  readonly hasOwner?: () => Promise<boolean>;
  /** Reads a part of what a task wrote. */
  read(...args: Parameters<ReadOutput>): ReturnType<ReadOutput>;
}

/** At most so many tasks are listed, the newest ones. */
const MOST_TASKS = 500;

const number = (form: RegExp, what: string) =>
  v.optional(
    v.pipe(v.string(), v.regex(form, `it must be ${what}, 0 or more`), v.transform(Number)),
  );
const schema = v.strictObject({
  seq: number(/^\d{1,15}$/, "a whole number"),
  at: number(/^\d{1,15}(\.\d+)?$/, "a time in milliseconds"),
  id: v.exactOptional(v.string()),
});

/** Answers what a page asks of what is inspected, at any moment. */
export class Inspection {
  /** Something has happened. */
  readonly news: Subject<void> = new Subject();
  readonly #recorded: RecordedRuntime;
  readonly #stop: Inspected["stop"];
  readonly #hasOwner: Inspected["hasOwner"];
  readonly #subscription = new Subscription();
  #ended = false;

  constructor(inspected: Inspected, maxEvents: number) {
    this.#stop = inspected.stop?.bind(inspected);
    this.#hasOwner = inspected.hasOwner?.bind(inspected);
    this.#recorded = isRecorded(inspected) ? inspected : this.#record(inspected, maxEvents);
    const end = () => {
      this.#ended = true;
      this.news.next();
    };
    const next = () => this.news.next();
    this.#subscription.add(this.#recorded.events.subscribe({ next, complete: end, error: end }));
  }

  /**
   * What a page is sent of all events: the places and times of the oldest and the newest one, 0 before
   * there is one, and whether any follow.
   */
  summary(): Readonly<Record<string, number | boolean>> {
    const { firstSeq, seq, time } = this.#recorded;
    return {
      first: firstSeq,
      firstAt: this.#recorded.at(firstSeq).time,
      last: seq,
      lastAt: time,
      ended: this.#ended,
      canStop: this.#stop !== undefined && !this.#ended,
    };
  }

  /**
   * Answer a request; `undefined` where there is nothing like that.
   *
   * @throws {TypeError} When a field of the query cannot be used.
   */
  async answer(request: string, query: URLSearchParams): Promise<unknown> {
    const fields = Object.fromEntries(query);
    const { seq, at, id = "" } = checkFields(schema, fields, `Cannot ${request} with`);
    const moment = at === undefined ? this.#after(seq ?? Infinity) : this.#recorded.atTime(at);
    const task = moment.tasks.current.byId.get(id);
    switch (request) {
      case "GET state":
        return {
          ...this.summary(),
          ownerGone: await this.#hasOwner?.() === false,
          seq: moment.seq,
          at: moment.time,
          sessions: [...moment.sessions.current.byId.values()],
          tasks: [...moment.tasks.current.byId.values()].slice(-MOST_TASKS),
        };
      case "GET task":
        return task && await inspectedTask(moment, task);
      case "POST stop":
        if (task === undefined || this.#stop === undefined) return undefined;
        await this.#stop(id);
        return { stopped: id };
    }
    return undefined;
  }

  close(): void {
    this.#subscription.unsubscribe();
    this.news.complete();
  }

  /** The moment after an event; those from which a page began may be kept no more. */
  #after(seq: number): RecordedRuntime {
    const { firstSeq, seq: last } = this.#recorded;
    return this.#recorded.at(Math.max(firstSeq - 1, Math.min(seq, last), 0));
  }

  #record(inspected: Inspected, maxEvents: number): RecordedRuntime {
    const history = new History(maxEvents);
    const end = () => history.news.complete();
    this.#subscription.add(inspected.events.subscribe({
      next: (recorded) => history.take(recorded),
      complete: end,
      error: end,
    }));
    const read: ReadOutput = (...wanted) => inspected.read(...wanted);
    return recordedRuntime(history, { read, sizeOf: fileSize });
  }
}

function isRecorded(inspected: Inspected): inspected is Inspected & RecordedRuntime {
  return "atTime" in inspected && typeof inspected.atTime === "function";
}
