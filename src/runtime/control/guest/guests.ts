import type { Observable } from "rxjs";
import { endsCommand, type Recorded } from "../../../event/event.ts";
import type { CancelTimer, Clock } from "../../../platform/clock.ts";
import type { Runtime } from "../../runtime.ts";
import { knownSessions } from "../known-sessions.ts";

/** A runtime that runs commands for other processes of its user, and has no other purpose. */
export interface GuestOptions {
  /** After what time without any use it is to end, in milliseconds; 0: never. */
  readonly idleMs: number;
  /** Called once when it is to end: it was idle, or a request said so. */
  readonly onEnd: () => void;
}

/** The commands that a runtime runs for other processes. */
export interface Guests {
  /** It takes no more commands. */
  readonly ending: boolean;
  /** The runtime is in use until this settles. */
  during<T>(request: Promise<T>): Promise<T>;
  /** Take no more commands, and have the runtime closed. */
  end(): void;
  close(): void;
}

/** Have a runtime closed when it was idle for a while, or on request. */
export function guestsOf(
  runtime: Pick<Runtime, "sessions" | "tasks"> & { readonly events: Observable<Recorded> },
  { idleMs, onEnd }: GuestOptions,
  clock: Clock,
): Guests {
  let ending = false;
  let uses = 0;
  let used = false;
  let cancel: CancelTimer = () => {};
  const end = () => {
    if (ending) return;
    ending = true;
    onEnd();
  };
  const rest = () => {
    if (ending) return;
    const kept = knownSessions(runtime.sessions.current, runtime.tasks.current)
      .some(({ status }) => status !== "gone");
    // A host that keeps nothing need not wait; but its first request is still on its way.
    if (used && !kept) cancel = clock.after(0, end);
    else if (idleMs > 0) cancel = clock.after(idleMs, end);
  };
  /** The runtime is in use until the returned function is called. */
  const begin = () => {
    uses++;
    used = true;
    cancel();
    return () => {
      if (--uses === 0) rest();
    };
  };
  rest();
  const running = new Map<string, () => void>();
  const subscription = runtime.events.subscribe(({ event }) => {
    if (event.type === "command.requested") running.set(event.commandId, begin());
    if (!endsCommand(event) && event.type !== "task.detached") return;
    running.get(event.commandId)?.();
    running.delete(event.commandId);
  });
  return {
    get ending() {
      return ending;
    },
    during: (request) => request.finally(begin()),
    end,
    close: () => {
      ending = true;
      subscription.unsubscribe();
      cancel();
    },
  };
}
