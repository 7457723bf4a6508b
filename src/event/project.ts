import type { Recorded, RuntimeEvent } from "./event.ts";

/** A question that the log can answer, written as a pure fold. */
export interface Projection<State, E = RuntimeEvent> {
  readonly name: string;
  readonly initial: State;
  readonly evolve: (state: State, recorded: Recorded<E>) => State;
}

/** Answer from a finished log, with no clock and no subscription. */
export function fold<State, E>(
  { initial, evolve }: Projection<State, E>,
  events: Iterable<Recorded<E>>,
): State {
  let state = initial;
  for (const recorded of events) state = evolve(state, recorded);
  return state;
}
