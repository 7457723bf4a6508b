import type { CommandId } from "../../event/command.ts";
import { endsCommand, type RuntimeEvent } from "../../event/event.ts";
import type { CancelTimer, Clock } from "../../platform/clock.ts";

/** Lets commands that ask for it go on in the background, once they have run for so long. */
export class Promotions {
  readonly #clock: Clock;
  readonly #promote: (commandId: CommandId) => void;
  readonly #waitMs = new Map<CommandId, number>();
  readonly #timers = new Map<CommandId, CancelTimer>();

  /** @param promote Called when the time of a command in the foreground is over. */
  constructor(clock: Clock, promote: (commandId: CommandId) => void) {
    this.#clock = clock;
    this.#promote = promote;
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
      this.#timers.set(commandId, this.#clock.after(waitMs, () => this.#promote(commandId)));
    } else if (endsCommand(event)) {
      this.#timers.get(commandId)?.();
      this.#timers.delete(commandId);
      this.#waitMs.delete(commandId);
    }
  }
}
