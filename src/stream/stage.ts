import { from, Observable, type ObservableInput } from "rxjs";

/** Something that has happened; the prefix of its `type` names the folder that emits it. */
export interface Happened {
  readonly type: string;
}

/** Whether it happened to a command. */
export function hasCommand<E extends Happened>(
  event: E,
): event is E & { readonly commandId: string } {
  return "commandId" in event && typeof event.commandId === "string";
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
  const reads = (event: Happened): event is In => event.type === type;
  // By hand: to `mergeMap` each event is an observable of its own in each stage, and most are read by none.
  return <E extends Happened>(events: Observable<E>) =>
    new Observable<E | Out>((subscriber) => {
      let sources = 1;
      const end = {
        error: (cause: unknown) => subscriber.error(cause),
        complete: () => {
          if (--sources === 0) subscriber.complete();
        },
      };
      const next = (event: E) => {
        // A source that emits at once goes on when its reader has left.
        if (subscriber.closed) return;
        if (!reads(event)) return subscriber.next(event);
        try {
          const following = follow(event);
          subscriber.next(event);
          if (Array.isArray(following)) return following.forEach((out) => subscriber.next(out));
          if (subscriber.closed) return;
          sources++;
          subscriber.add(
            from(following).subscribe({ next: (out) => subscriber.next(out), ...end }),
          );
        } catch (cause) {
          subscriber.error(cause);
        }
      };
      subscriber.add(events.subscribe({ next, ...end }));
    });
}
