import * as v from "valibot";
import {
  type CommandId,
  type SessionId,
  STOP_CAUSES,
  type StopCause,
} from "../../event/command.ts";
import { SHELL_PARTS } from "../../event/execution.ts";
import { shownValue } from "../../value/shown.ts";
import type { TerminalSize } from "../../platform/terminal/terminals.ts";
import type { OpenSessionOptions } from "../runtime.ts";
import { checkFields } from "../../value/check-fields.ts";
import { nonEmpty, sizeFields } from "./fields.ts";
import { SIGNAL_NUMBERS } from "../../platform/process/signals/signal-numbers.ts";

const causes = v.picklist(STOP_CAUSES);

export function checkStopCause(taskId: CommandId, by: StopCause): void {
  if (v.is(causes, by)) return;
  throw new TypeError(
    `Cannot stop ${shownValue(taskId)} by ${shownValue(by)}: it must be ${causes.expects}`,
  );
}

const sessionOptions = v.strictObject({
  cwd: v.optional(nonEmpty),
  reset: v.optional(v.strictObject({ reason: v.string(), lost: v.array(v.picklist(SHELL_PARTS)) })),
});

export function checkOpening(sessionId: SessionId, options: OpenSessionOptions): void {
  checkFields(v.strictObject({ sessionId: nonEmpty }), { sessionId }, "Cannot open a session with");
  checkFields(sessionOptions, options, `Cannot open session ${shownValue(sessionId)} with`);
}

export function checkSize(taskId: CommandId, size: TerminalSize): void {
  checkFields(
    v.strictObject(sizeFields),
    size,
    `Cannot resize the terminal of ${shownValue(taskId)} to`,
  );
}

export function checkSignal(taskId: CommandId, signal: string): void {
  if (typeof signal === "string" && Object.hasOwn(SIGNAL_NUMBERS, signal)) return;
  throw new TypeError(
    `Cannot send ${shownValue(signal)} to ${shownValue(taskId)}: it is no signal of this system, ` +
      `such as "SIGTERM"`,
  );
}
