import { shown } from "../../event/shown.ts";
import type { Asker } from "../../permission/asker.ts";
import type { Stdio } from "../../platform/stdio.ts";

/** Ask on the terminal. */
export function terminalAsker({ err, ask }: Pick<Stdio, "err" | "ask">): Asker {
  return async ({ order, concerns }, signal) => {
    const whole = (text: string) => shown(text, { keep: "\n\t", most: Infinity });
    const reasons = concerns.map(({ reason }) => `  - ${whole(reason)}\n`).join("");
    await err(`Run this in ${whole(order.cwd)}?\n\n  ${whole(order.command)}\n\n${reasons}`);
    const answer = await ask("[y]es, [N]o: ", signal);
    return /^y(es)?$/i.test(answer.trim()) ? "once" : "deny";
  };
}
