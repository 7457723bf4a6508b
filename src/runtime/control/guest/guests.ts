import { endsCommand } from "../../../event/event.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Runtime } from "../../runtime.ts";
import type { GuestOptions } from "./guest-options.ts";
import { Idleness } from "./idleness.ts";
import { knownSessions } from "../known-sessions.ts";
import { Questions } from "./questions.ts";

/** What a runtime knows of those for whom it runs commands. */
export interface Guests {
  readonly questions: Questions;
  /** It takes no more commands. */
  readonly ending: boolean;
  /** A guest comes; what this answers is called when it goes. */
  come(): () => void;
  /** Take no more commands, and have the runtime closed. */
  end(): void;
  /** The runtime closes. */
  close(): void;
}

/** Look after the guests of a runtime. */
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
  const listening = runtime.events.subscribe(({ event }) => {
    if (event.type === "command.requested") running.set(event.commandId, idleness.begin());
    if (!endsCommand(event) && event.type !== "task.detached") return;
    if (!("commandId" in event)) return;
    running.get(event.commandId)?.();
    running.delete(event.commandId);
  });
  return {
    questions: new Questions(),
    get ending() {
      return ending;
    },
    come: () => idleness.begin(),
    end,
    close: () => {
      ending = true;
      listening.unsubscribe();
      idleness.close();
    },
  };
}
