import { shown } from "../../event/shown.ts";
import type { Order } from "../../event/command.ts";
import type { Answer } from "../../event/permission.ts";
import type { Question } from "../../permission/asker.ts";
import type { Stdio } from "../../platform/stdio.ts";

/** Asks a person, and shows no more of the command than this. */
export type TerminalAsker = (
  question: Pick<Question, "concerns"> & { readonly order: Pick<Order, "command" | "cwd"> },
  signal: AbortSignal,
) => Promise<Answer>;

/** Ask on the terminal. */
export function terminalAsker({ err, ask }: Pick<Stdio, "err" | "ask">): TerminalAsker {
  return async ({ order, concerns }, signal) => {
    const whole = (text: string) => shown(text, { keep: "\n\t", most: Infinity });
    const reasons = concerns.map(({ reason }) => `  - ${whole(reason)}\n`).join("");
    await err(`Run this in ${whole(order.cwd)}?\n\n  ${whole(order.command)}\n\n${reasons}`);
    const answer = await ask("[y]es, [N]o: ", signal);
    return /^y(es)?$/i.test(answer.trim()) ? "once" : "deny";
  };
}
