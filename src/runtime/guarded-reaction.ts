import * as v from "valibot";
import { STOP_CAUSES } from "../event/command.ts";
import type { Recorded } from "../event/event.ts";
import type { PromotionCause } from "../event/task.ts";
import { SIGNAL_NUMBERS } from "../platform/process/signals/signal-numbers.ts";
import { checkFields } from "../value/check-fields.ts";
import { untilFailure } from "./live.ts";
import type { Facts, Message, Reaction } from "./reactions.ts";

/**
 * A reaction of an embedder: after its first failure, which is a warning, it is not asked again.
 *
 * What it answers is checked: in the loop of the runtime, anything but a message would end the host.
 */
export function guarded(reaction: Reaction): Reaction {
  const name = reaction.name === "" ? "without a name" : `"${reaction.name}"`;
  return untilFailure(
    (facts: Facts, recorded: Recorded) => {
      const messages = [...reaction(facts, recorded)];
      for (const message of messages) checkFields(schema, { message }, "Cannot perform");
      return messages;
    },
    { otherwise: () => [], warning: `The reaction ${name} is not asked again, as it failed` },
  );
}

const id = v.string();
const PROMOTION_CAUSES = ["timeout", "user", "condition"] as const satisfies PromotionCause[];

const ofCommand = <Type extends Message["type"]>(type: Type) =>
  v.strictObject({ type: v.literal(type), commandId: id });
const ofSession = <Type extends Message["type"]>(type: Type) =>
  v.strictObject({ type: v.literal(type), sessionId: id });

const anyMessage: v.GenericSchema<unknown, Message> = v.variant("type", [
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
