import { dangerNames } from "../../command/program/dangers.ts";
import { spelledOut } from "../../command/program/inspect.ts";
import { otherNames, takesGoals } from "../../command/program/option-names.ts";
import type { Programs } from "../../command/program/programs.ts";
import { createPolicy, type Policy, type PolicyOptions } from "../../permission/policy.ts";

/** Read rules, with the dangers and the names that some programs have. */
export function policyFor(programs: Programs, options: PolicyOptions): Policy {
  return createPolicy(
    { dangers: dangerNames(programs), ...options },
    {
      spellOut: (words) => spelledOut(words, programs),
      otherNames: (words, option) => otherNames(words, option, programs),
      takesGoals: (words) => takesGoals(words, programs),
    },
  );
}
