import type { Analysis } from "../../event/command.ts";
import type { Concern } from "../../event/permission.ts";
import { baseName } from "../words.ts";
import { matches } from "./forms.ts";
import type { Rule } from "./rule.ts";

/** The rules that stop a command. */
interface Stopping {
  readonly ask: readonly Rule[];
  readonly deny: readonly Rule[];
}

/** Find what a rule asks about, and what a rule could deny if more were known. */
export function askConcerns(analysis: Analysis, { ask, deny }: Stopping): readonly Concern[] {
  const concerns: Concern[] = [];
  for (const command of analysis.commands) {
    const { span, program, argv } = command;
    for (const rule of ask) {
      if (matches(rule, command) === "no") continue;
      concerns.push({ reason: `"${rule.text}" asks`, rule: rule.text, span });
    }
    for (const rule of deny) {
      const named = !program.known && rule.program !== undefined && names(argv, rule.program);
      if (!named && matches(rule, command) !== "maybe") continue;
      const reason = `it could be what "${rule.text}" denies`;
      concerns.push({ reason, rule: rule.text, span });
    }
  }
  const every = ask.find((rule) => rule.every);
  if (every !== undefined) concerns.push({ reason: `"${every.text}" asks`, rule: every.text });
  return concerns;
}

/** Whether a program that is not known could start one whose name stands in its words. */
function names([, ...words]: Analysis["commands"][number]["argv"], program: string): boolean {
  return words.some((word) =>
    word?.split(/[\s;|&()<>"'`=,{}]+/).some((part) => baseName(part) === program) === true
  );
}
