import type { Policy } from "../policy.ts";
import type { Rule } from "../rules/rule.ts";
import type { Danger } from "./danger.ts";

/** Whether a danger is no reason to ask: the policy accepts it, or a rule spells it out. */
export function isAccepted(
  { name, unless }: Danger,
  { rules, policy }: { readonly rules: readonly Rule[]; readonly policy: Policy },
): boolean {
  if (policy.accept.has(name)) return true;
  if (unless === undefined) return false;
  return rules.some((rule) => rule.exact || (unless !== "exact" && rule.spelled >= unless));
}
