import { Observable, Subject } from "rxjs";
import type { Recorded } from "../event/event.ts";
import type { Projection } from "../event/project.ts";

/** The answer of a projection, kept up to date. */
export interface Live<State> {
  /** The answer now. */
  readonly current: State;
  /** The answer now and after each event that changes it; completes when the runtime has closed. */
  readonly changes: Observable<State>;
}

/** Keeps the answer of a projection while it is told of each event. */
export class LiveProjection<State> implements Live<State> {
  readonly #projection: Projection<State>;
  readonly #subject: Subject<State> = new Subject();
  readonly changes: Observable<State>;
  #current: State;

  /** @param earlier The answer so far, of events that were recorded before. */
  constructor(projection: Projection<State>, earlier: State = projection.initial) {
    this.#projection = projection;
    this.#current = earlier;
    this.changes = new Observable((subscriber) => {
      subscriber.next(this.#current);
      return this.#subject.subscribe(subscriber);
    });
  }

  get current(): State {
    return this.#current;
  }

  /** Take the next event into account. */
  next(recorded: Recorded): void {
    const before = this.#current;
    this.#current = this.#projection.evolve(before, recorded);
    if (this.#current !== before) this.#subject.next(this.#current);
  }

  /** No event follows. */
  complete(): void {
    this.#subject.complete();
  }
}
