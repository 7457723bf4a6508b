import { Observable, Subject } from "rxjs";
import type { Recorded } from "../event/event.ts";
import type { Projection } from "../event/project.ts";
import { untilFailure } from "./until-failure.ts";

/** The answer of a projection, kept up to date. */
export interface Live<State> {
  /** The answer now. */
  readonly current: State;
  /** The answer now and after each event that changes it; completes when the runtime has closed. */
  readonly changes: Observable<State>;
}

/** A projection of an embedder: after its first failure, which is a warning, its answer stays as it was. */
export function guardedProjection<State>(
  { name, initial, evolve }: Projection<State>,
): Projection<State> {
  const warning = `The projection "${name}" is folded no further, as it failed`;
  return { name, initial, evolve: untilFailure(evolve, { otherwise: (state) => state, warning }) };
}

/** More events than this are never kept to be folded in later. */
const MOST_PENDING = 256;

/**
 * Keeps the answer of a projection up to date.
 *
 * Without a subscriber, events are folded in when the answer is read, or at the end of the turn of the
 * event loop: so no command waits for a view of itself.
 */
export class LiveProjection<State> implements Live<State> {
  readonly #projection: Projection<State>;
  readonly #subject: Subject<State> = new Subject();
  readonly changes: Observable<State>;
  #pending: Recorded[] = [];
  #current: State;

  /** @param earlier The answer so far, of events that were recorded before. */
  constructor(projection: Projection<State>, earlier: State = projection.initial) {
    this.#projection = projection;
    this.#current = earlier;
    this.changes = new Observable((subscriber) => {
      subscriber.next(this.current);
      return this.#subject.subscribe(subscriber);
    });
  }

  get current(): State {
    const pending = this.#pending;
    if (pending.length > 0) {
      this.#pending = [];
      for (const recorded of pending) {
        this.#current = this.#projection.evolve(this.#current, recorded);
      }
    }
    return this.#current;
  }

  /** Take the next event into account. */
  next(recorded: Recorded): void {
    const watched = this.#subject.observed;
    const before = watched ? this.current : undefined;
    if (this.#pending.push(recorded) === 1 && !watched) setImmediate(() => void this.current);
    if (!watched && this.#pending.length < MOST_PENDING) return;
    const { current } = this;
    if (watched && current !== before) this.#subject.next(current);
  }

  /** No event follows. */
  complete(): void {
    this.#subject.complete();
  }
}
