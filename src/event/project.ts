import type { Recorded, RuntimeEvent } from "./event.ts";

/** A question that the log can answer, written as a pure fold. */
export interface Projection<State, E = RuntimeEvent> {
  readonly name: string;
  readonly initial: State;
  readonly evolve: (state: State, recorded: Recorded<E>) => State;
}

/**
 * Answer from a finished log, with no clock and no subscription: at once for events in memory, and with
 * a promise for those that are read one by one, as by `readLog`.
 */
export function fold<State, E>(
  projection: Projection<State, E>,
  events: Iterable<Recorded<E>>,
): State;
export function fold<State, E>(
  projection: Projection<State, E>,
  events: AsyncIterable<Recorded<E>>,
): Promise<State>;
export function fold<State, E>(
  { initial, evolve }: Projection<State, E>,
  events: Iterable<Recorded<E>> | AsyncIterable<Recorded<E>>,
): State | Promise<State> {
  let state = initial;
  if (Symbol.iterator in events) {
    for (const recorded of events) state = evolve(state, recorded);
    return state;
  }
  return (async () => {
    for await (const recorded of events) state = evolve(state, recorded);
    return state;
  })();
}
