import type { SimpleCommand } from "../../event/command.ts";
import { allForms } from "./forms.ts";
import type { Match, Rule } from "./rule.ts";

/** How a rule that denies or asks meets a command: the form that fits best counts. */
export function matches(rule: Rule, command: SimpleCommand): Match {
  let best: Match = "no";
  for (const form of allForms(command)) {
    const match = rule.match(form);
    if (match === "yes") return match;
    if (match === "maybe") best = match;
  }
  return best;
}
