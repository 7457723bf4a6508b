import type { Asker } from "../permission/asker.ts";
import type { Stdio } from "../platform/stdio.ts";

/** Ask on the terminal. */
export function terminalAsker({ err, ask }: Pick<Stdio, "err" | "ask">): Asker {
  return async ({ order, concerns }, signal) => {
    const reasons = concerns.map(({ reason }) => `  - ${visible(reason)}\n`).join("");
    await err(`Run this in ${visible(order.cwd)}?\n\n  ${visible(order.command)}\n\n${reasons}`);
    const answer = await ask("[y]es, [s]ession, [a]lways, [N]o: ", signal);
    switch (answer.trim().toLowerCase()) {
      case "y":
      case "yes":
        return "once";
      case "s":
      case "session":
        return "session";
      case "a":
      case "always":
        return "always";
      default:
        return "deny";
    }
  };
}

/** What a terminal would hide, move or reorder is shown by its code point, so that nobody agrees to something unseen. */
function visible(text: string): string {
  return text.replace(
    // deno-lint-ignore no-control-regex
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `<U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}>`,
  );
}
