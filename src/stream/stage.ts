import {
  from,
  Observable,
  type ObservableInput,
  type Observer,
  type Subscriber,
  type Subscription,
} from "rxjs";

/** Something that has happened; the prefix of its `type` names the folder that emits it. */
export interface Happened {
  readonly type: string;
}

/** Makes the compiler refuse a pipeline in which no stage before emits what this one reads. */
export type Reads<In, E> = [In] extends [E] ? unknown : { "no stage before this one emits": In };

/** An operator that lets every event through and adds those that follow from an `In`. */
export type Stage<In extends Happened, Out extends Happened> = <E extends Happened>(
  events: Observable<E> & Reads<In, E>,
) => Observable<E | Out>;

/**
 * Build a {@linkcode Stage} from the one question it answers: what follows from this event?
 *
 * `follow` is called before the event is passed on, so a stage that records what it reads has done so
 * before any later stage acts. What follows is emitted after the event, and an observable is
 * subscribed to only then, unless a later stage has unsubscribed. Unsubscribing ends what still follows.
 *
 * @param type The event type the stage reads.
 * @param follow What follows: an array when it is known at once, an observable when it takes time. An
 * error that it throws becomes an error of the stream.
 * @returns A stage that emits each event before those that follow from it.
 */
export function stage<In extends Happened, Out extends Happened>(
  type: In["type"],
  follow: (event: In) => ObservableInput<Out>,
): Stage<In, Out> {
  return <E extends Happened>(events: Observable<E>) =>
    new Observable<E | Out>((subscriber) => {
      subscriber.add(events.subscribe(new Repeater<E, In, Out>(subscriber, type, follow)));
    });
}

/**
 * Repeats the events of one subscription, each before those that follow from it.
 *
 * Written by hand instead of `merge(all, all.pipe(filter, mergeMap))`: every event passes every stage.
 */
class Repeater<E extends Happened, In extends Happened, Out extends Happened>
  implements Observer<E> {
  readonly #subscriber: Subscriber<E | Out>;
  readonly #type: In["type"];
  readonly #follow: (event: In) => ObservableInput<Out>;
  /** How many sources have not ended: the events, and what follows from some of them. */
  #open = 1;

  constructor(
    subscriber: Subscriber<E | Out>,
    type: In["type"],
    follow: (event: In) => ObservableInput<Out>,
  ) {
    this.#subscriber = subscriber;
    this.#type = type;
    this.#follow = follow;
  }

  next(event: E): void {
    const subscriber = this.#subscriber;
    if (!this.#reads(event)) return subscriber.next(event);
    let source: ObservableInput<Out>;
    try {
      source = this.#follow(event);
    } catch (cause) {
      return subscriber.error(cause);
    }
    subscriber.next(event);
    if (subscriber.closed) return;
    if (!Array.isArray(source)) return this.#subscribe(from(source));
    for (const following of source) subscriber.next(following);
  }

  error(cause: unknown): void {
    this.#subscriber.error(cause);
  }

  complete(): void {
    if (--this.#open === 0) this.#subscriber.complete();
  }

  #reads(event: Happened): event is In {
    return event.type === this.#type;
  }

  #subscribe(source: Observable<Out>): void {
    const subscriber = this.#subscriber;
    this.#open++;
    let inner: Subscription | undefined = undefined;
    let ended = false;
    inner = source.subscribe({
      next: (event) => subscriber.next(event),
      error: (cause) => subscriber.error(cause),
      complete: () => {
        ended = true;
        if (inner !== undefined) subscriber.remove(inner);
        this.complete();
      },
    });
    if (!ended) subscriber.add(inner);
  }
}
