import * as v from "valibot";
import { type CommandId, STOP_CAUSES, type StopCause } from "../../event/command.ts";
import { shownValue } from "../../event/shown.ts";
import type { TerminalSize } from "../../platform/terminal/terminals.ts";
import { checkFields } from "./check-fields.ts";
import { sizeFields } from "../terminal/size-schema.ts";
import { SIGNAL_NUMBERS } from "../../platform/process/signals/signal-numbers.ts";

const causes = v.picklist(STOP_CAUSES);

/** @throws {TypeError} When it is none of the causes for which a task is stopped. */
export function checkStopCause(taskId: CommandId, by: StopCause): void {
  if (v.is(causes, by)) return;
  throw new TypeError(
    `Cannot stop ${shownValue(taskId)} by ${shownValue(by)}: it must be ${causes.expects}`,
  );
}

/** @throws {TypeError} When it is no size of a terminal. */
export function checkSize(taskId: CommandId, size: TerminalSize): void {
  checkFields(
    v.strictObject(sizeFields),
    size,
    `Cannot resize the terminal of ${shownValue(taskId)} to`,
  );
}

/** @throws {TypeError} When it is no signal of this system. */
export function checkSignal(taskId: CommandId, signal: string): void {
  if (typeof signal === "string" && Object.hasOwn(SIGNAL_NUMBERS, signal)) return;
  throw new TypeError(
    `Cannot send ${shownValue(signal)} to ${shownValue(taskId)}: it is no signal of this system, ` +
      `such as "SIGTERM"`,
  );
}
