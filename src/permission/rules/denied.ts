import type { Analysis } from "../../event/command.ts";
import type { Concern } from "../../event/permission.ts";
import { matches } from "./forms.ts";
import type { Rule } from "./rule.ts";

/** A concern that a rule raises. */
interface RuleConcern extends Concern {
  readonly rule: string;
}

/** Find the first rule that surely denies something in the line, whatever else is wrong with it. */
export function findDenied(analysis: Analysis, deny: readonly Rule[]): RuleConcern | undefined {
  for (const rule of deny) {
    const command = rule.every
      ? undefined
      : analysis.commands.find((each) => matches(rule, each) === "yes");
    if (!rule.every && command === undefined) continue;
    return {
      reason: `"${rule.text}" denies it`,
      rule: rule.text,
      ...(command !== undefined && { span: command.span }),
    };
  }
  return undefined;
}
