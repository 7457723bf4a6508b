import type { CancelTimer, Clock } from "../../platform/clock.ts";
import { type InputWait, LIKELY_AFTER_MS, SURE_AFTER_MS } from "../../screen/input-wait.ts";

/** What an {@linkcode InputWatch} uses. */
export interface InputWatchOptions {
  readonly clock: Clock;
  /** Look whether the program waits for input, after so many milliseconds without output or input. */
  readonly look: (quietMs: number) => Promise<InputWait | undefined>;
  /** Called when the program begins to wait, or goes on without input. */
  readonly report: (wait: InputWait | undefined) => void;
}

/** How long the terminal is quiet at the first looks, in milliseconds; then it is twice as long each time. */
const LOOKS_MS = [SURE_AFTER_MS, LIKELY_AFTER_MS];
/** The longest time between two looks, in milliseconds. */
const LONGEST_MS = 30_000;

/**
 * Notices when the program on a terminal waits for input.
 *
 * It looks only when the terminal is quiet, ever more rarely, and not again once the program waits.
 */
export class InputWatch {
  readonly #options: InputWatchOptions;
  #lastAt: number;
  #looks = 0;
  #cancel: CancelTimer | undefined;
  #wait: InputWait | undefined;
  #ended = false;

  constructor(options: InputWatchOptions) {
    this.#options = options;
    this.#lastAt = options.clock.monotonic();
    this.#lookWhenQuiet(SURE_AFTER_MS);
  }

  /** Output came. */
  output(): void {
    this.#lastAt = this.#options.clock.monotonic();
    this.#looks = 0;
    // One timer for all output: it finds out itself how long the terminal has been quiet.
    if (this.#cancel === undefined) this.#lookWhenQuiet(SURE_AFTER_MS);
  }

  /** Input was written: the program waits no longer. */
  input(): void {
    this.#wait = undefined;
    this.#cancel?.();
    this.#cancel = undefined;
    this.output();
  }

  /** The program has ended. */
  end(): void {
    this.#ended = true;
    this.#cancel?.();
  }

  #lookWhenQuiet(quietMs: number): void {
    if (this.#ended) return;
    const { clock } = this.#options;
    const leftMs = Math.max(0, this.#lastAt + quietMs - clock.monotonic());
    this.#cancel = clock.after(leftMs, () => {
      const foundMs = clock.monotonic() - this.#lastAt;
      if (foundMs < SURE_AFTER_MS) return this.#lookWhenQuiet(SURE_AFTER_MS);
      void this.#look(foundMs);
    });
  }

  async #look(quietMs: number): Promise<void> {
    const { look, report } = this.#options;
    const at = this.#lastAt;
    const found = await look(quietMs);
    if (this.#ended) return;
    // What came meanwhile makes the evidence worthless.
    if (this.#lastAt !== at) return this.#lookWhenQuiet(SURE_AFTER_MS);
    this.#cancel = undefined;
    this.#looks++;
    if (found === undefined) {
      this.#lookWhenQuiet(LOOKS_MS[this.#looks] ?? Math.min(2 * quietMs, quietMs + LONGEST_MS));
    }
    const before = this.#wait;
    // The first look finds less than the second: it does not show that a program waits no longer.
    if (found === undefined && before !== undefined && this.#looks < LOOKS_MS.length) return;
    this.#wait = found;
    if (found?.password !== before?.password || found?.keys !== before?.keys) report(found);
  }
}
