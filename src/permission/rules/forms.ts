import type { SimpleCommand } from "../../event/command.ts";
import { baseName, type Words } from "../words.ts";
import type { Match, Rule } from "./rule.ts";

/** How a rule that denies or asks meets a command: every form of it is looked at, the best counts. */
export function matches(rule: Rule, command: SimpleCommand): Match {
  let best: Match = "no";
  for (const form of formsOf(command)) {
    const match = rule.match(form);
    if (match === "yes") return match;
    if (match === "maybe") best = match;
  }
  return best;
}

/** A command as written, with its variables, by the plain name of its program, and as its record knows it. */
function formsOf({ argv, assignments, program: { as } }: SimpleCommand): readonly Words[] {
  const [name, ...rest] = argv;
  const forms: Words[] = [];
  if (name === undefined) return forms;
  if (assignments.length > 0) {
    const set = assignments.map(({ name, value }) => value === null ? null : `${name}=${value}`);
    forms.push([...set, ...argv]);
  }
  forms.push(argv);
  if (name !== null && /[\\/]/.test(name)) forms.push([baseName(name), ...rest]);
  if (as !== undefined) forms.push(as);
  return forms;
}
