import { type Observable, Subject, type Subscription } from "rxjs";
import type { CommandId } from "../../event/command.ts";
import type { Recorded } from "../../event/event.ts";
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

  /** Answer a request; `undefined` where there is nothing like that. */
  async answer(request: string, query: URLSearchParams): Promise<unknown> {
    const moment = this.#wanted(query);
    const id = query.get("id") ?? "";
    const task = moment.tasks.byId.get(id);
    switch (request) {
      case "GET state": {
        const { seq, at, sessions, tasks } = moment;
        const listed = [...tasks.byId.values()].slice(-MOST_TASKS);
        return { ...this.summary(), seq, at, sessions: [...sessions.byId.values()], tasks: listed };
      }
      case "GET task": {
        if (task === undefined) return undefined;
        const events = this.#moments.eventsOf(id, moment);
        return await inspectedTask(task, events, (...read) => this.#inspected.read(...read));
      }
      case "POST stop": {
        if (task === undefined || this.#inspected.stop === undefined) return undefined;
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

  #wanted(query: URLSearchParams): Moment {
    const [seq, at] = [query.get("seq"), query.get("at")];
    if (seq !== null) return this.#moments.upTo(Number(seq));
    return at === null ? this.#moments.last : this.#moments.at(Number(at));
  }
}
