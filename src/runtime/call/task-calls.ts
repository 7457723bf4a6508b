import * as v from "valibot";
import type { CommandId, StopCause } from "../../event/command.ts";
import { shownValue } from "../../event/shown.ts";
import { SIGNAL_NUMBERS } from "../../platform/process/signal-numbers.ts";

const causes = v.picklist(["timeout", "idle", "abort", "stop", "outputLimit", "close", "user"]);

/** Check who is said to stop a task; throws a `TypeError` that names them. */
export function checkCause(taskId: CommandId, by: StopCause): void {
  if (v.is(causes, by)) return;
  throw new TypeError(
    `Cannot stop ${shownValue(taskId)} by ${shownValue(by)}: it must be ${causes.expects}`,
  );
}

/** Check the name of a signal; throws a `TypeError` that names it. */
export function checkSignal(taskId: CommandId, signal: string): void {
  if (typeof signal === "string" && Object.hasOwn(SIGNAL_NUMBERS, signal)) return;
  throw new TypeError(
    `Cannot send ${shownValue(signal)} to ${shownValue(taskId)}: it is no signal of this system, ` +
      `such as "SIGTERM"`,
  );
}

/** What is asked of a task that there is not, or that is forgotten. */
export function noSuchTask(what: string, taskId: CommandId): Error {
  return new Error(`Cannot ${what} ${shownValue(taskId)}: there is no such task`);
}
