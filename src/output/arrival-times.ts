import type { ArrivalTime } from "../event/output.ts";
import type { Clock } from "../platform/clock.ts";

interface Arrival {
  readonly at: number;
  to: number;
}

/** Notes when the bytes of one command came, until an event takes the times. */
export class ArrivalTimes {
  readonly #clock: Clock;
  readonly #stepMs: number;
  #notes: Arrival[] = [];

  /** @param stepMs What comes within so many milliseconds counts as one arrival, which bounds their number. */
  constructor(clock: Clock, stepMs: number) {
    this.#clock = clock;
    this.#stepMs = stepMs;
  }

  /** Bytes came: there are so many now. */
  note(total: number): void {
    const at = this.#clock.monotonic();
    const last = this.#notes.at(-1);
    if (last !== undefined && at - last.at < this.#stepMs) last.to = total;
    else this.#notes.push({ at, to: total });
  }

  /** Take the times of the bytes up to an offset; `undefined` where all of them came just now. */
  take(to: number): readonly ArrivalTime[] | undefined {
    const now = this.#clock.monotonic();
    const count = this.#notes.filter((note) => note.to < to).length + 1;
    const times = this.#notes.slice(0, count)
      .map((note): ArrivalTime => [Math.round(now - note.at), Math.min(note.to, to)]);
    this.#notes = this.#notes.filter((note) => note.to > to);
    return times.every(([msBefore]) => msBefore < this.#stepMs) ? undefined : times;
  }
}
