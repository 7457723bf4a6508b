import { endsCommand } from "../../../event/event.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Runtime } from "../../runtime.ts";
import type { GuestOptions } from "./guest-options.ts";
import { Idleness } from "./idleness.ts";
import { knownSessions } from "../known-sessions.ts";

/** The commands that a runtime runs for other processes. */
export interface Guests {
  /** It takes no more commands. */
  readonly ending: boolean;
  /** The runtime is in use until this settles. */
  during<T>(request: Promise<T>): Promise<T>;
  /** Take no more commands, and have the runtime closed. */
  end(): void;
  /** The runtime closes. */
  close(): void;
}

/** Have a runtime closed when it was idle for a while, or on request. */
export function guestsOf(
  runtime: Pick<Runtime, "events" | "sessions" | "tasks">,
  { idleMs, onEnd }: GuestOptions,
  clock: Clock,
): Guests {
  let ending = false;
  const end = () => {
    if (ending) return;
    ending = true;
    onEnd();
  };
  const keeps = () =>
    knownSessions(runtime.sessions.current, runtime.tasks.current)
      .some(({ status }) => status !== "gone");
  const idleness = new Idleness({ clock, idleMs, keeps, onIdle: end });
  const running = new Map<string, () => void>();
  const subscription = runtime.events.subscribe(({ event }) => {
    if (event.type === "command.requested") running.set(event.commandId, idleness.begin());
    if (!endsCommand(event) && event.type !== "task.detached") return;
    running.get(event.commandId)?.();
    running.delete(event.commandId);
  });
  return {
    get ending() {
      return ending;
    },
    during: (request) => request.finally(idleness.begin()),
    end,
    close: () => {
      ending = true;
      subscription.unsubscribe();
      idleness.close();
    },
  };
}
