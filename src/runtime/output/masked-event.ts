import type { RuntimeEvent } from "../../event/event.ts";
import type { Mask } from "../../text/mask.ts";

/** Hide secrets in what an event has of a screen and of processes, as answers and notices show it. */
export function maskedEvent(event: RuntimeEvent, mask: Mask | undefined): RuntimeEvent {
  if (mask === undefined) return event;
  if (event.type === "execution.waitingForInput" && event.prompt !== undefined) {
    const [prompt = ""] = mask.rows([event.prompt]);
    return { ...event, prompt };
  }
  if (!("leftovers" in event) || event.leftovers === undefined) return event;
  const leftovers = event.leftovers.map((leftover) => {
    return { ...leftover, command: mask.text(leftover.command) };
  });
  return { ...event, leftovers };
}
