import type { Analysis, Span } from "../../event/command.ts";
import type { Concern } from "../../event/permission.ts";
import { isDangerousVariable } from "./env-names.ts";

interface VariableFacts {
  /** Names of variables that come with the command. */
  readonly given: readonly string[];
  /** A rule covers every program, and so what programs read from variables. */
  readonly every: boolean;
}

/** Find variables that decide which code runs: those of the line, and names that come with it. */
export function variableConcerns(
  { sets = [], commands }: Analysis,
  { given, every }: VariableFacts,
): readonly Concern[] {
  const concerns: Concern[] = [];
  const check = (name: string, value: string | null, span?: Span) => {
    if (!isDangerousVariable(name, { value, every })) return;
    concerns.push({
      reason: `the variable "${name}" changes what runs`,
      ...(span !== undefined && { span }),
    });
  };
  for (const { name, value, span } of sets) check(name, value, span);
  for (const { argv, assignments, span } of commands) {
    // `IFS= read` splits the input of that command alone.
    for (const { name, value } of assignments) {
      if (name !== "IFS" || argv[0] !== "read") check(name, value, span);
    }
  }
  for (const name of given) check(name, null);
  return concerns;
}
