import { firstValueFrom, map, Observable, Subject } from "rxjs";
import type { CommandId } from "../../event/command.ts";
import type { Recorded } from "../../event/event.ts";
import type { Projection } from "../../event/project.ts";
import type { EventStream } from "../event-stream.ts";
import { type Projected, projectionsOf } from "../state/projections.ts";

/** What was known after an event. */
export interface Known extends Projected {
  /** Of the event; 0 before the first one. */
  readonly seq: number;
  readonly time: number;
}

/** Which events are wanted, both places included. */
export interface Span {
  readonly from: number;
  readonly to: number;
  /** Those of one task alone. */
  readonly taskId?: CommandId | undefined;
}

/** What is known is kept once for so many events; between them it is folded when it is asked for. */
const STEP = 128;

/** Events, and what was known after each of them. */
export class History {
  /** An event was added; it ends when none follows. */
  readonly news: Subject<void> = new Subject();
  readonly #most: number;
  readonly #projections: Projection<Projected>;
  /** In runs of {@linkcode STEP} events, each with what was known before it. */
  readonly #runs: { readonly before: Known; readonly events: Recorded[] }[] = [];
  #last: Known;

  /**
   * @param most So many of the newest events are kept, or some more. Where all are, so is all that is
   *   known from them.
   */
  constructor(most: number) {
    this.#most = most;
    this.#projections = most === Infinity ? projectionsOf(Infinity) : projectionsOf();
    this.#last = { ...this.#projections.initial, seq: 0, time: 0 };
  }

  /** What is known after the newest event. */
  get last(): Known {
    return this.#last;
  }

  /** The place of the oldest event that is kept; 0 where there is none. */
  get firstSeq(): number {
    return this.#runs[0]?.events[0]?.seq ?? 0;
  }

  /** Take the next event into account. */
  take(recorded: Recorded): void {
    const run = this.#runs.at(-1);
    if (run !== undefined && run.events.length < STEP) run.events.push(recorded);
    else this.#runs.push({ before: this.#last, events: [recorded] });
    if ((this.#runs.length - 1) * STEP > this.#most) this.#runs.shift();
    this.#last = this.#after(this.#last, recorded);
    this.news.next();
  }

  /** What was known after an event, or after the newest one before it. */
  upTo(seq: number): Known {
    return seq >= this.#last.seq ? this.#last : this.#until((recorded) => recorded.seq <= seq);
  }

  /** What was known at a time, in milliseconds since the epoch. */
  at(time: number): Known {
    return time >= this.#last.time ? this.#last : this.#until((recorded) => recorded.at <= time);
  }

  /** The events of a span that are there, and those that follow. */
  read(span: Span): EventStream {
    const events = new Observable<Recorded>((subscriber) => {
      let next = span.from;
      const take = () => {
        for (const recorded of this.#within({ ...span, from: next })) {
          next = recorded.seq + 1;
          if (isWanted(span, recorded)) subscriber.next(recorded);
          if (subscriber.closed) return;
        }
        if (this.#last.seq >= span.to) subscriber.complete();
      };
      take();
      return this.news.subscribe({
        next: take,
        error: (cause) => subscriber.error(cause),
        complete: () => subscriber.complete(),
      });
    });
    return Object.assign(events, { [Symbol.asyncIterator]: () => this.#iterate(span) });
  }

  async *#iterate(span: Span): AsyncGenerator<Recorded, void, undefined> {
    for (let next = span.from;;) {
      for (const recorded of this.#within({ ...span, from: next })) {
        next = recorded.seq + 1;
        if (isWanted(span, recorded)) yield recorded;
      }
      if (this.#last.seq >= span.to) return;
      // More may have come while the reader had one of them.
      if (this.#last.seq >= next) continue;
      const news = this.news.pipe(map(() => true));
      if (!await firstValueFrom(news, { defaultValue: false })) return;
    }
  }

  /** The events of a span that are kept. */
  *#within({ from, to }: Span): Generator<Recorded, void, undefined> {
    const run = this.#runs.findLastIndex(({ events: [first] }) => first && first.seq <= from);
    for (const { events } of this.#runs.slice(Math.max(0, run))) {
      for (const recorded of events) {
        if (recorded.seq > to) return;
        if (recorded.seq >= from) yield recorded;
      }
    }
  }

  #until(isBefore: (recorded: Recorded) => boolean): Known {
    const run = this.#runs.findLast(({ events: [first] }) => first && isBefore(first)) ??
      this.#runs[0];
    if (run === undefined) return this.#last;
    return run.events.filter(isBefore)
      .reduce((known, recorded) => this.#after(known, recorded), run.before);
  }

  #after(known: Known, recorded: Recorded): Known {
    return { ...this.#projections.evolve(known, recorded), seq: recorded.seq, time: recorded.at };
  }
}

function isWanted({ taskId }: Span, { event }: Recorded): boolean {
  return taskId === undefined || ("commandId" in event && event.commandId === taskId);
}
