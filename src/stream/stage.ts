import { EMPTY, filter, mergeMap, Observable, type ObservableInput } from "rxjs";

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
  return <E extends Happened>(events: Observable<E>) =>
    new Observable<E | Out>((subscriber) => {
      // To `mergeMap` each event is an observable of its own, and most are read by no stage.
      const read = filter((event: E): event is E & In => {
        if (reads(event)) return true;
        subscriber.next(event);
        return false;
      });
      const followed = mergeMap((event: E & In): ObservableInput<Out> => {
        const following = follow(event);
        subscriber.next(event);
        return subscriber.closed ? EMPTY : following;
      });
      events.pipe(read, followed).subscribe(subscriber);
    });
}
