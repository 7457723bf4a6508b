import type { Recorded } from "../../event/event.ts";
import { sessions, type SessionTable } from "../../session/sessions.ts";
import { tasks, type TaskTable } from "../../task/tasks.ts";

/** What was known after an event. */
export interface Moment {
  /** Of the event; 0 before the first one. */
  readonly seq: number;
  readonly at: number;
  readonly tasks: TaskTable;
  readonly sessions: SessionTable;
}

/** A moment is kept for so many events; those between are folded when they are asked for. */
const STEP = 128;

/** The newest events, and what was known after each of them. */
export class Moments {
  readonly #most: number;
  /** In runs of {@linkcode STEP} events, each with the moment before it. */
  readonly #runs: { readonly before: Moment; readonly events: Recorded[] }[] = [];
  #last: Moment = { seq: 0, at: 0, tasks: tasks.initial, sessions: sessions.initial };

  /** @param most So many events are kept, or some more. */
  constructor(most: number) {
    this.#most = most;
  }

  /** The newest moment. */
  get last(): Moment {
    return this.#last;
  }

  /** The oldest event that is kept. */
  get first(): Recorded | undefined {
    return this.#runs[0]?.events[0];
  }

  /** Take the next event into account. */
  take(recorded: Recorded): void {
    const run = this.#runs.at(-1);
    if (run !== undefined && run.events.length < STEP) run.events.push(recorded);
    else this.#runs.push({ before: this.#last, events: [recorded] });
    if ((this.#runs.length - 1) * STEP > this.#most) this.#runs.shift();
    this.#last = after(this.#last, recorded);
  }

  /** The moment after an event, or after the newest one before it. */
  upTo(seq: number): Moment {
    return seq >= this.#last.seq ? this.#last : this.#until((recorded) => recorded.seq <= seq);
  }

  /** The moment at a time, in milliseconds since the epoch. */
  at(time: number): Moment {
    return time >= this.#last.at ? this.#last : this.#until((recorded) => recorded.at <= time);
  }

  /** The events of a command until a moment. */
  eventsOf(commandId: string, { seq }: Moment): readonly Recorded[] {
    return this.#runs.flatMap(({ events }) =>
      events.filter((recorded) =>
        recorded.seq <= seq && "commandId" in recorded.event &&
        recorded.event.commandId === commandId
      )
    );
  }

  #until(isBefore: (recorded: Recorded) => boolean): Moment {
    const run = this.#runs.findLast(({ events: [first] }) => first && isBefore(first)) ??
      this.#runs[0];
    if (run === undefined) return this.#last;
    return run.events.filter(isBefore).reduce(after, run.before);
  }
}

function after(moment: Moment, recorded: Recorded): Moment {
  return {
    seq: recorded.seq,
    at: recorded.at,
    tasks: tasks.evolve(moment.tasks, recorded),
    sessions: sessions.evolve(moment.sessions, recorded),
  };
}
