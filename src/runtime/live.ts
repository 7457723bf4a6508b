import { distinctUntilChanged, map, Observable, Subject } from "rxjs";
import * as v from "valibot";
import type { Recorded } from "../event/event.ts";
import type { Projection } from "../event/project.ts";
import { messageOf } from "../platform/failure.ts";
import { warn } from "../platform/environment/environment.ts";
import { shownValue } from "../value/shown.ts";
import { nonEmpty } from "./call/fields.ts";

const foldable = v.object({ name: nonEmpty, evolve: v.function() });

/** The answer of a projection, kept up to date. */
export interface Live<State> {
  /** The answer now. */
  readonly current: State;
  /** The answer now and after each event that changes it; completes when the runtime has closed. */
  readonly changes: Observable<State>;
}

/**
 * Fold a projection of an embedder over events: after its first failure, which is a warning, its answer
 * stays as it was.
 *
 * @throws {TypeError} When it has no name or nothing that folds.
 */
export function liveProjection<State>(
  projection: Projection<State>,
  events: Observable<Recorded>,
): Live<State> {
  if (!v.safeParse(foldable, projection).success) {
    const given = shownValue(projection);
    throw new TypeError(
      `Cannot fold the projection ${given}: it must have a name and a function "evolve"`,
    );
  }
  const { name, evolve } = projection;
  const warning = `The projection "${name}" is folded no further, as it failed`;
  const guarded = untilFailure(evolve, { otherwise: (state) => state, warning });
  const live = new LiveProjection({ ...projection, evolve: guarded });
  events.subscribe({
    next: (recorded) => live.next(recorded),
    error: () => live.complete(),
    complete: () => live.complete(),
  });
  return live;
}

/** An answer that may have changed whenever something is emitted. */
export function liveAnswer<State>(of: () => State, emitted: Observable<unknown>): Live<State> {
  return {
    get current() {
      return of();
    },
    changes: emitted.pipe(map(of), distinctUntilChanged()),
  };
}

/** Keeps the answer of a projection up to date. */
export class LiveProjection<State> implements Live<State> {
  readonly changes: Observable<State>;
  readonly #projection: Projection<State>;
  readonly #subject: Subject<State> = new Subject();
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
    return this.#current;
  }

  /** A part of the answer, which changes less often. */
  part<Part>(of: (state: State) => Part): Live<Part> {
    return liveAnswer(() => of(this.#current), this.changes);
  }

  next(recorded: Recorded): void {
    const before = this.#current;
    this.#current = this.#projection.evolve(before, recorded);
    if (this.#current !== before && this.#subject.observed) this.#subject.next(this.#current);
  }

  complete(): void {
    this.#subject.complete();
  }
}

/** A function of an embedder that is called no more after its first failure, which is a warning. */
export function untilFailure<Arguments extends readonly unknown[], Result>(
  call: (...given: Arguments) => Result,
  { otherwise, warning }: {
    /** What it answers from then on. */
    readonly otherwise: (...given: Arguments) => Result;
    readonly warning: string;
  },
): (...given: Arguments) => Result {
  let failed = false;
  return (...given) => {
    if (failed) return otherwise(...given);
    try {
      return call(...given);
    } catch (cause) {
      failed = true;
      warn(`${warning}: ${messageOf(cause)}`);
      return otherwise(...given);
    }
  };
}
