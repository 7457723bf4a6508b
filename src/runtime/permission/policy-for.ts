import { dangerNames } from "../../command/program/dangers.ts";
import { spelledOut } from "../../command/program/inspect.ts";
import type { Programs } from "../../command/program/programs.ts";
import { createPolicy, type Policy, type PolicyOptions } from "../../permission/policy.ts";

/** Read rules, with the dangers and the names that some programs have. */
export function policyFor(programs: Programs, options: PolicyOptions): Policy {
  return createPolicy(
    { dangers: dangerNames(programs), ...options },
    (words) => spelledOut(words, programs),
  );
}
