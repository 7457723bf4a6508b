import type { Analysis, ShellState } from "../event/command.ts";
import type { Concern } from "../event/permission.ts";
import type { Paths } from "../platform/file/paths.ts";
import { certaintyConcerns } from "./concerns/certainty.ts";
import { variableConcerns } from "./concerns/variables.ts";
import { pathConcerns } from "./concerns/workspace.ts";
import { isAccepted } from "./dangers/accepted.ts";
import { dangersOf } from "./dangers/dangers.ts";
import type { Policy } from "./policy.ts";
import { readOnlyConcerns } from "./read-only/read-only.ts";
import { askConcerns } from "./rules/asked.ts";
import { coverage } from "./rules/covered.ts";
import { findDenied } from "./rules/denied.ts";
import { suggestRule } from "./rules/suggest.ts";
import { passed, stopped, type Verdict } from "./verdict.ts";

/** What a judgement must know besides the analysis and the policy. */
export interface JudgeFacts {
  /** Absolute. */
  readonly cwd: string;
  readonly paths: Paths;
  /** Names of variables that come with the command. */
  readonly env?: readonly string[];
  readonly state?: ShellState;
}

/**
 * Decide about a command: deny, then ask, then allow.
 *
 * A deny rule looks at everything that could be extracted, whatever else is wrong. What passes is
 * covered command by command, trusted as a whole, and stays in the workspace.
 */
export function judge(analysis: Analysis, policy: Policy, facts: JudgeFacts): Verdict {
  const denied = findDenied(analysis, policy.deny);
  if (denied !== undefined) return stopped("deny", [denied], { rules: [denied.rule] });
  if (policy.mode === "bypass") {
    return passed({ by: "mode", reason: "nothing is asked in this mode", rules: [] });
  }
  if (policy.mode === "plan") {
    const changes = readOnlyConcerns(analysis);
    const [first] = changes;
    if (first !== undefined) {
      return stopped("deny", changes, { reason: `plan mode only reads: ${first.reason}` });
    }
  }
  const { cwd, paths, env = [], state } = facts;
  const allowed = allowPass(analysis, policy);
  const concerns = [
    ...certaintyConcerns(analysis),
    ...askConcerns(analysis, policy),
    ...variableConcerns(analysis, [...env, ...state?.variables ?? []]),
    ...(state?.modifiers ?? []).map((modifier) => ({ reason: `${modifier} changes what it does` })),
    ...allowed.concerns,
    ...pathConcerns(analysis, { root: policy.workspace ?? cwd, paths }),
  ];
  if (concerns.length === 0) return passing(allowed.rules, policy);
  if (policy.mode !== "dontAsk") {
    return stopped("ask", concerns, { suggestions: allowed.suggestions });
  }
  return stopped("deny", concerns, {
    reason: `nobody is asked in this mode: ${concerns[0]?.reason ?? ""}`,
  });
}

interface Allowed {
  /** What no rule covers, and what is dangerous although one does. */
  readonly concerns: readonly Concern[];
  readonly rules: readonly string[];
  readonly suggestions: readonly string[];
}

/** Look for rules that cover each command. */
function allowPass(analysis: Analysis, policy: Policy): Allowed {
  const concerns: Concern[] = [];
  const covering = new Set<string>();
  const suggestions = new Set<string>();
  for (const command of analysis.commands) {
    const { span } = command;
    const { rules, uncovered } = coverage(command, { analysis, policy });
    for (const rule of rules) covering.add(rule.text);
    for (const danger of dangersOf(command)) {
      if (!isAccepted(danger, { rules, policy })) concerns.push({ reason: danger.reason, span });
    }
    if (uncovered === undefined) continue;
    concerns.push({ reason: uncovered, span });
    const suggestion = suggestRule(command);
    if (suggestion !== undefined) suggestions.add(suggestion);
  }
  if (analysis.commands.every(({ argv }) => argv.length === 0) && policy.mode !== "plan") {
    const every = policy.allow.find((rule) => rule.every);
    if (every === undefined) concerns.push({ reason: "nothing in it that a rule could cover" });
    else covering.add(every.text);
  }
  return { concerns, rules: [...covering], suggestions: [...suggestions] };
}

function passing(rules: readonly string[], { mode }: Policy): Verdict {
  return rules.length === 0
    ? passed({ by: "mode", reason: `covered by the mode "${mode}"`, rules })
    : passed({ by: "rule", reason: `covered by ${rules.join(", ")}`, rules });
}
