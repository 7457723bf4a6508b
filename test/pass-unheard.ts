import type { SteeredClock } from "./steered-clock.ts";

/** What passes while nobody hears of it. */
export interface UnheardOptions {
  readonly clock: SteeredClock;
  readonly ms: number;
  /** Makes it happen. */
  readonly cause: () => void;
  /** Whether it has happened. */
  readonly until: () => boolean;
}

/** As a busy program does, let time and what happens pass with the event loop held, from where timers come before what waits in pipes. */
export function passUnheard({ clock, ms, cause, until }: UnheardOptions): Promise<void> {
  return new Promise((done) =>
    setImmediate(() => {
      cause();
      while (!until());
      clock.forward(ms);
      // A timer is due no earlier than in a millisecond.
      const due = performance.now() + 2;
      while (performance.now() < due);
      done();
    })
  );
}
