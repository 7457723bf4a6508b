import type { SteeredClock } from "./steered-clock.ts";
import { NEVER_MS } from "./until.ts";

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
  return new Promise((done, failed) =>
    setImmediate(() => {
      cause();
      const end = performance.now() + NEVER_MS;
      while (!until()) {
        if (performance.now() > end) return failed(new Error(`It never came to this: ${until}`));
      }
      clock.forward(ms);
      // A timer is due no earlier than in a millisecond.
      const due = performance.now() + 2;
      while (performance.now() < due);
      done();
    })
  );
}
