import { distinctUntilChanged, map, Observable, Subject } from "rxjs";
import type { Recorded } from "../event/event.ts";
import type { Projection } from "../event/project.ts";
import { messageOf } from "../platform/failure.ts";
import { warn } from "../platform/environment/environment.ts";

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
    const current = () => of(this.#current);
    return {
      get current() {
        return current();
      },
      changes: this.changes.pipe(map(of), distinctUntilChanged()),
    };
  }

  next(recorded: Recorded): void {
    const before = this.#current;
    this.#current = this.#projection.evolve(before, recorded);
    if (this.#current !== before) this.#subject.next(this.#current);
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
