import type { Limits } from "../../event/command.ts";
import type { CancelTimer, Clock } from "../../platform/clock.ts";
import type { Stop } from "./outcome.ts";

/** What the limits of a command act on. */
export interface RunLimitsOptions {
  readonly clock: Clock;
  readonly limits: Limits;
  /** Called when a limit is reached, unless it was lifted before. */
  readonly reached: (stop: Stop) => void;
}

/** The timeout and the longest silence of one command, from its start on. */
export class RunLimits {
  readonly #options: RunLimitsOptions;
  #lastByteAt: number;
  #held = false;
  #cancelTimeout: CancelTimer = () => {};
  #cancelSilence: CancelTimer = () => {};

  constructor(options: RunLimitsOptions) {
    this.#options = options;
    const { clock, reached, limits: { timeoutMs, idleTimeoutMs } } = options;
    this.#lastByteAt = clock.monotonic();
    if (timeoutMs !== undefined) {
      this.#cancelTimeout = clock.deadline(
        timeoutMs,
        () => reached({ by: "timeout", limitMs: timeoutMs }),
      );
    }
    if (idleTimeoutMs !== undefined) this.#limitSilence(idleTimeoutMs, idleTimeoutMs);
  }

  /** A byte came: the silence is over. */
  byteCame(): void {
    if (this.#options.limits.idleTimeoutMs === undefined) return;
    this.#lastByteAt = this.#options.clock.monotonic();
  }

  /** While its reader holds it back, a command is not silent. */
  hold(held: boolean): void {
    this.#held = held;
    if (!held) this.#lastByteAt = this.#options.clock.monotonic();
  }

  /** The command ended. */
  lift(): void {
    this.#cancelTimeout();
    this.#cancelSilence();
  }

  /** One timer that looks when the silence could be over at the earliest, instead of one for each chunk. */
  #limitSilence(limitMs: number, waitMs: number): void {
    const { clock, reached } = this.#options;
    this.#cancelSilence = clock.deadline(waitMs, () => {
      const left = this.#held ? limitMs : Math.ceil(this.#lastByteAt + limitMs - clock.monotonic());
      if (left > 0) this.#limitSilence(limitMs, left);
      else reached({ by: "idle", limitMs });
    });
  }
}
