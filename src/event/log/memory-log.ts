import { filter, Observable, Subject } from "rxjs";
import type { Clock } from "../../platform/clock.ts";
import type { Recorded, RuntimeEvent } from "../event.ts";
import type { EventLog } from "./log.ts";

/** How a {@linkcode MemoryLog} counts and how much it holds. */
export interface MemoryLogOptions {
  /** Gives events their time. */
  readonly clock: Clock;
  /** How many of the newest events stay readable; 20 000 by default. */
  readonly keep?: number;
  /** The last place already taken, for a log that goes on from an earlier one; 0 by default. */
  readonly lastSeq?: number;
  /** Called for each event as it takes its place, before any subscriber; it must not throw. */
  readonly onAppend?: (recorded: Recorded) => void;
}

/**
 * The newest events of a runtime, in memory: the oldest go when there are more than it holds.
 *
 * A subscriber that throws hurts neither the log nor other subscribers: RxJS reports what it threw
 * on a call stack of its own.
 */
export class MemoryLog implements EventLog {
  /** Each event from now on. */
  readonly appended: Observable<Recorded>;
  readonly #clock: Clock;
  readonly #keep: number;
  readonly #ring: Recorded[] = [];
  readonly #undelivered: Recorded[] = [];
  readonly #subscribers: Subject<Recorded> = new Subject();
  readonly #onAppend: ((recorded: Recorded) => void) | undefined;
  readonly #start: number;
  #lastSeq: number;
  /** The newest place that subscribers have got. */
  #delivered: number;
  #delivering = false;
  #closed = false;

  /** @throws {RangeError} When it is to keep less than one event. */
  constructor({ clock, keep = 20_000, lastSeq = 0, onAppend }: MemoryLogOptions) {
    if (!Number.isSafeInteger(keep) || keep < 1) {
      throw new RangeError(`Cannot keep "${keep}" events: it must be a whole number from 1 on`);
    }
    this.#clock = clock;
    this.#keep = keep;
    this.#start = lastSeq;
    this.#lastSeq = lastSeq;
    this.#delivered = lastSeq;
    this.#onAppend = onAppend;
    this.appended = this.#subscribers.asObservable();
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** The oldest place still readable; one beyond the newest when there is none. */
  get firstSeq(): number {
    return Math.max(this.#start, this.#lastSeq - this.#keep) + 1;
  }

  append(event: RuntimeEvent): Recorded {
    if (this.#closed) throw new Error(`Cannot append "${event.type}": the log is closed`);
    const recorded: Recorded = { seq: ++this.#lastSeq, at: this.#clock.now(), event };
    this.#ring[this.#slot(recorded.seq)] = recorded;
    this.#onAppend?.(recorded);
    this.#undelivered.push(recorded);
    this.#deliver();
    return recorded;
  }

  read(after = 0): Observable<Recorded> {
    return new Observable((subscriber) => {
      let next = Math.max(after + 1, this.firstSeq);
      // What is appended but not delivered yet reaches the subscriber by delivery.
      for (; next <= this.#delivered && !subscriber.closed; next++) {
        next = Math.max(next, this.firstSeq);
        const recorded = this.#at(next);
        if (recorded !== undefined) subscriber.next(recorded);
      }
      return this.#subscribers.pipe(filter(({ seq }) => seq >= next)).subscribe(subscriber);
    });
  }

  /** Does nothing: nothing here survives the process. */
  writeNow(): void {}

  flush(): Promise<void> {
    return Promise.resolve();
  }

  /** Complete every reader. Idempotent. */
  close(): Promise<void> {
    this.#closed = true;
    if (!this.#delivering) this.#subscribers.complete();
    return Promise.resolve();
  }

  #at(seq: number): Recorded | undefined {
    const recorded = this.#ring[this.#slot(seq)];
    return recorded?.seq === seq ? recorded : undefined;
  }

  /** One event at a time goes to every subscriber; what is appended meanwhile waits. */
  #deliver(): void {
    if (this.#delivering) return;
    this.#delivering = true;
    for (const next of this.#undelivered) {
      this.#delivered = next.seq;
      this.#subscribers.next(next);
    }
    this.#undelivered.length = 0;
    this.#delivering = false;
    if (this.#closed) this.#subscribers.complete();
  }

  #slot(seq: number): number {
    return (seq - this.#start - 1) % this.#keep;
  }
}
