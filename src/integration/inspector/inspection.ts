import { type Observable, Subject, type Subscription } from "rxjs";
import * as v from "valibot";
import type { CommandId } from "../../event/command.ts";
import type { Recorded } from "../../event/event.ts";
import { checkFields } from "../../value/check-fields.ts";
import { shownValue } from "../../value/shown.ts";
import { inspectedTask, type ReadOutput } from "./inspected-task.ts";
import { type Moment, Moments } from "./moments.ts";

/** What can be inspected: a runtime, or what has its events and its output. */
export interface Inspected {
  /** The events so far, and each new one. */
  readonly events: Observable<Recorded>;
  /** Ends a task; absent: the page cannot. */
  readonly stop?: (taskId: CommandId) => Promise<unknown>;
  /** Reads a part of what a task wrote. */
  read(...args: Parameters<ReadOutput>): ReturnType<ReadOutput>;
}

/** What is reported to a page of all events. */
interface Summary {
  /** The places and times of the oldest and the newest event; 0 before there is one. */
  readonly first: number;
  readonly firstAt: number;
  readonly last: number;
  readonly lastAt: number;
  /** No event follows. */
  readonly ended: boolean;
  /** Tasks can be ended. */
  readonly canStop: boolean;
}

/** At most so many tasks are listed, the newest ones. */
const MOST_TASKS = 500;

/** What is asked for cannot be read. */
export class QueryError extends Error {
  override readonly name = "QueryError";
}

const number = (form: RegExp, what: string) =>
  v.optional(
    v.pipe(v.string(), v.regex(form, `it must be ${what}, 0 or more`), v.transform(Number)),
  );
const place = {
  seq: number(/^\d{1,15}$/, "a whole number"),
  at: number(/^\d{1,15}(\.\d+)?$/, "a time in milliseconds"),
};
const stateQuery = v.strictObject(place);
const taskQuery = v.strictObject({ ...place, id: v.string() });

/** Answers what a page asks of what is inspected, at any moment. */
export class Inspection {
  /** Something has happened. */
  readonly news: Subject<void> = new Subject();
  readonly #inspected: Inspected;
  readonly #moments: Moments;
  readonly #subscription: Subscription;
  #ended = false;

  constructor(inspected: Inspected, maxEvents: number) {
    this.#inspected = inspected;
    this.#moments = new Moments(maxEvents);
    const end = () => {
      this.#ended = true;
      this.news.next();
    };
    this.#subscription = inspected.events.subscribe({
      next: (recorded) => {
        this.#moments.take(recorded);
        this.news.next();
      },
      complete: end,
      error: end,
    });
  }

  summary(): Summary {
    const { first, last } = this.#moments;
    return {
      first: first?.seq ?? 0,
      firstAt: first?.at ?? 0,
      last: last.seq,
      lastAt: last.at,
      ended: this.#ended,
      canStop: this.#inspected.stop !== undefined && !this.#ended,
    };
  }

  /**
   * Answer a request; `undefined` where there is nothing like that.
   *
   * @throws {QueryError} When a field of the query cannot be used.
   */
  async answer(request: string, query: URLSearchParams): Promise<unknown> {
    switch (request) {
      case "GET state": {
        const { seq, at, sessions, tasks } = this.#read(request, query, stateQuery).moment;
        const listed = [...tasks.byId.values()].slice(-MOST_TASKS);
        return { ...this.summary(), seq, at, sessions: [...sessions.byId.values()], tasks: listed };
      }
      case "GET task": {
        const { moment, id } = this.#read(request, query, taskQuery);
        const task = moment.tasks.byId.get(id);
        if (task === undefined) return undefined;
        const events = this.#moments.eventsOf(id, moment);
        return await inspectedTask(task, events, (...read) => this.#inspected.read(...read));
      }
      case "POST stop": {
        const { moment, id } = this.#read(request, query, taskQuery);
        if (!moment.tasks.byId.has(id) || this.#inspected.stop === undefined) return undefined;
        await this.#inspected.stop(id);
        return { stopped: id };
      }
    }
    return undefined;
  }

  close(): void {
    this.#subscription.unsubscribe();
    this.news.complete();
  }

  #read<Query extends typeof stateQuery | typeof taskQuery>(
    request: string,
    query: URLSearchParams,
    schema: Query,
  ): v.InferOutput<Query> & { readonly moment: Moment } {
    const fail = (field: string, value: unknown, why: string) =>
      new QueryError(`Cannot ${request} with ${field} ${shownValue(value)}: ${why}`);
    const asked = checkFields(schema, Object.fromEntries(query), fail);
    const { seq, at } = asked;
    const { last } = this.#moments;
    if (seq !== undefined && at !== undefined) {
      throw fail("at", query.get("at"), "it is for a request without seq");
    }
    if (seq !== undefined && seq > last.seq) {
      throw fail("seq", query.get("seq"), `the newest event is ${last.seq}`);
    }
    if (seq !== undefined) return { ...asked, moment: this.#moments.upTo(seq) };
    return { ...asked, moment: at === undefined ? last : this.#moments.at(at) };
  }
}
