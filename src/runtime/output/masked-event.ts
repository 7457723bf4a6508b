import type { RuntimeEvent } from "../../event/event.ts";
import type { Leftover } from "../../event/leftover.ts";
import type { Mask } from "../../text/mask.ts";

/** Hide secrets in what an event has of a screen, of processes and of URLs, as answers and notices show it. */
export function maskedEvent(event: RuntimeEvent, mask: Mask | undefined): RuntimeEvent {
  if (mask === undefined) return event;
  if (event.type === "execution.waitingForInput" && event.prompt !== undefined) {
    const [prompt = ""] = mask.rows([event.prompt]);
    return { ...event, prompt };
  }
  if (event.type === "execution.refused") return { ...event, to: mask.text(event.to) };
  if (!("leftovers" in event) || event.leftovers === undefined) return event;
  return { ...event, leftovers: maskedLeftovers(event.leftovers, mask) };
}

/** Hide secrets in the command lines of processes. */
export function maskedLeftovers(
  leftovers: readonly Leftover[],
  mask: Mask | undefined,
): readonly Leftover[] {
  return leftovers.map((each) => ({ ...each, command: mask?.text(each.command) ?? each.command }));
}
