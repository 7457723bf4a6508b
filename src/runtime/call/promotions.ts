import type { CommandId } from "../../event/command.ts";
import { endsCommand, type RuntimeEvent } from "../../event/event.ts";
import type { CancelTimer, Clock } from "../../platform/clock.ts";

/** What promotions need. */
export interface PromotionsOptions {
  readonly clock: Clock;
  /** Calls once everything that had happened has been told. */
  readonly caughtUp: (call: () => void) => void;
  /** Called when the time of a command in the foreground is over, unless it ended before. */
  readonly promote: (commandId: CommandId) => void;
}

/** Lets commands that ask for it go on in the background, once they have run for so long. */
export class Promotions {
  readonly #options: PromotionsOptions;
  readonly #waitMs = new Map<CommandId, number>();
  readonly #timers = new Map<CommandId, CancelTimer>();

  constructor(options: PromotionsOptions) {
    this.#options = options;
  }

  /** Take the next event into account. */
  next(event: RuntimeEvent): void {
    if (event.type === "command.requested") {
      const { promoteAfterMs } = event.limits;
      if (promoteAfterMs !== undefined) this.#waitMs.set(event.commandId, promoteAfterMs);
      return;
    }
    if (this.#waitMs.size === 0 || !("commandId" in event)) return;
    const { commandId } = event;
    const waitMs = this.#waitMs.get(commandId);
    if (waitMs === undefined) return;
    if (event.type === "execution.started") {
      this.#timers.set(commandId, this.#options.clock.after(waitMs, () => this.#due(commandId)));
    } else if (endsCommand(event)) {
      this.#timers.get(commandId)?.();
      this.#timers.delete(commandId);
      this.#waitMs.delete(commandId);
    }
  }

  /** A timer that fires late may come before the end of a command that ended in time. */
  #due(commandId: CommandId): void {
    const { caughtUp, promote } = this.#options;
    caughtUp(() => {
      if (this.#waitMs.has(commandId)) promote(commandId);
    });
  }
}
