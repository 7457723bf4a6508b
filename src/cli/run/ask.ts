import { shown } from "../../value/shown.ts";
import type { Answer } from "../../event/permission.ts";
import type { Stdio } from "../../platform/stdio.ts";
import type { AskRequest } from "../../runtime/control/protocol.ts";

/** Ask a person on the terminal. */
export async function askPerson(
  { err, ask }: Pick<Stdio, "err" | "ask">,
  { command, cwd, concerns }: AskRequest,
  signal: AbortSignal,
): Promise<Answer> {
  const whole = (text: string) => shown(text, { keep: "\n\t", most: Infinity });
  const reasons = concerns.map(({ reason }) => `  - ${whole(reason)}\n`).join("");
  await err(`Run this in ${whole(cwd)}?\n\n  ${whole(command)}\n\n${reasons}`);
  let answer: string;
  try {
    answer = await ask("[y]es, [N]o: ", signal);
  } catch (cause) {
    await err("\n"); // the line of the question has no end
    throw cause;
  }
  return /^y(es)?$/i.test(answer.trim()) ? "once" : "deny";
}
