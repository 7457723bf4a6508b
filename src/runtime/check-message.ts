import * as v from "valibot";
import { STOP_CAUSES } from "../event/command.ts";
import type { PromotionCause } from "../event/task.ts";
import { SIGNAL_NUMBERS } from "../platform/process/signals/signal-numbers.ts";
import { checkFields } from "../value/check-fields.ts";
import type { Message } from "./reactions.ts";

const id = v.string();
const PROMOTION_CAUSES = ["timeout", "user", "condition"] as const satisfies PromotionCause[];

const ofCommand = (type: Message["type"]) =>
  v.strictObject({ type: v.literal(type), commandId: id });
const ofSession = (type: Message["type"]) =>
  v.strictObject({ type: v.literal(type), sessionId: id });

const anyMessage: v.GenericSchema<unknown> = v.variant("type", [
  v.strictObject({ type: v.literal("stop"), commandId: id, by: v.picklist(STOP_CAUSES) }),
  v.strictObject({
    type: v.literal("signal"),
    commandId: id,
    signal: v.picklist(Object.keys(SIGNAL_NUMBERS), "it is no signal of this system"),
  }),
  v.strictObject({ type: v.literal("promote"), commandId: id, by: v.picklist(PROMOTION_CAUSES) }),
  v.strictObject({
    type: v.literal("later"),
    key: v.string(),
    afterMs: v.number(),
    message: v.lazy(() => anyMessage),
  }),
  v.strictObject({ type: v.literal("cancel"), key: v.string() }),
  ofCommand("answer"),
  ofCommand("forget"),
  ofSession("openNext"),
  ofSession("rest"),
  v.strictObject({ type: v.literal("notify") }),
]);

const schema = v.strictObject({ message: anyMessage });

/**
 * Check what a reaction of an embedder has answered: in the loop of the runtime, it could end the host.
 *
 * @throws {TypeError} `Cannot perform message.<field> <value>: <why>`.
 */
export function checkMessage(message: Message): void {
  checkFields(schema, { message }, "Cannot perform");
}
