import { from, Observable, type ObservableInput, type Subscription } from "rxjs";

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
 * Written by hand instead of `merge(all, all.pipe(filter, mergeMap))`: every event passes every
 * stage, so this is the hottest path that is not bytes. Unsubscribing ends whatever still follows.
 *
 * @param type The event type the stage reads.
 * @param follow What follows: an array when it is known at once, an observable when it takes time.
 * @returns A stage that repeats each event before those that follow from it.
 */
export function stage<In extends Happened, Out extends Happened>(
  type: In["type"],
  follow: (event: In) => ObservableInput<Out>,
): Stage<In, Out> {
  const reads = (event: Happened): event is In => event.type === type;
  return <E extends Happened>(events: Observable<E>) =>
    new Observable<E | Out>((subscriber) => {
      let open = 1;
      const close = () => {
        if (--open === 0) subscriber.complete();
      };
      const error = (cause: unknown) => subscriber.error(cause);
      const followed = (source: ObservableInput<Out>) => {
        if (Array.isArray(source)) {
          for (const event of source) subscriber.next(event);
          return;
        }
        open++;
        let inner: Subscription | undefined = undefined;
        let ended = false;
        inner = from(source).subscribe({
          next: (event) => subscriber.next(event),
          error,
          complete: () => {
            ended = true;
            if (inner !== undefined) subscriber.remove(inner);
            close();
          },
        });
        if (!ended) subscriber.add(inner);
      };
      subscriber.add(events.subscribe({
        next: (event) => {
          subscriber.next(event);
          if (!reads(event) || subscriber.closed) return;
          let source: ObservableInput<Out>;
          try {
            source = follow(event);
          } catch (cause) {
            return error(cause);
          }
          followed(source);
        },
        error,
        complete: close,
      }));
    });
}
