import type { Analysis, Span } from "../../event/command.ts";
import type { Concern } from "../../event/permission.ts";
import { isDangerousVariable } from "./env-names.ts";

/** Find variables that decide which code runs: those of the line, and names that come with it. */
export function variableConcerns(analysis: Analysis, given: readonly string[]): readonly Concern[] {
  const concerns: Concern[] = [];
  const check = (name: string, value: string | null, span?: Span) => {
    if (!isDangerousVariable(name, value)) return;
    concerns.push({
      reason: `the variable "${name}" changes what runs`,
      ...(span !== undefined && { span }),
    });
  };
  for (const { name, value, span } of analysis.sets ?? []) check(name, value, span);
  for (const { assignments, layers = [], span } of analysis.commands) {
    for (const { name, value } of assignments) check(name, value, span);
    for (const layer of layers) {
      for (const { name, value } of layer.assignments) check(name, value, span);
    }
  }
  for (const name of given) check(name, null);
  return concerns;
}
