import type { Analysis, ShellState, SimpleCommand, Span } from "../event/command.ts";
import type { Concern } from "../event/permission.ts";
import type { Paths } from "../platform/paths.ts";
import type { Danger } from "./dangers/danger.ts";
import { dangersOf } from "./dangers/dangers.ts";
import { isDangerousVariable } from "./env-names.ts";
import { editsOnly } from "./edits.ts";
import type { Policy } from "./policy.ts";
import { readOnlyConcerns } from "./read-only/read-only.ts";
import { allForms, strippedForm } from "./rules/forms.ts";
import type { Rule } from "./rules/rule.ts";
import { suggestRule } from "./suggest.ts";
import { pathConcerns, type Workspace } from "./workspace.ts";

/** What is decided about a command, and why. */
export interface Verdict {
  readonly decision: "allow" | "ask" | "deny";
  readonly reason: string;
  readonly rule?: string;
  readonly span?: Span;
  /** Everything that a person would have to decide. */
  readonly concerns: readonly Concern[];
  /** The rules that cover it, or the one that denies it. */
  readonly rules: readonly string[];
  /** What let it pass, if it passes. */
  readonly by?: "rule" | "mode";
  /** Rules that would cover what no rule covers yet. */
  readonly suggestions: readonly string[];
}

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
  const denied = findDenied(analysis, policy);
  if (denied !== undefined) return denied;
  if (policy.mode === "bypass") {
    return passed({ by: "mode", reason: "nothing is asked in this mode", rules: [] });
  }
  const workspace: Workspace = {
    root: policy.workspace ?? facts.cwd,
    paths: facts.paths,
  };
  const concerns: Concern[] = [];
  const covering = new Set<string>();
  const suggestions = new Set<string>();
  if (policy.mode === "plan") {
    const changes = readOnlyConcerns(analysis);
    const [first] = changes;
    if (first !== undefined) {
      return decided("deny", changes, { reason: `plan mode only reads: ${first.reason}` });
    }
  }
  if (analysis.certainty === "opaque") {
    concerns.push({
      reason: analysis.reason ?? "what it runs is not certain",
      ...(analysis.span !== undefined && { span: analysis.span }),
    });
  }
  concerns.push(...askRules(analysis, policy), ...variableConcerns(analysis, facts));
  for (const command of analysis.commands) {
    const { rules, uncovered } = coverage(command, { analysis, policy });
    for (const rule of rules) covering.add(rule.text);
    for (const danger of dangersOf(command)) {
      if (!lifted(danger, rules, policy)) {
        concerns.push({ reason: danger.reason, span: command.span });
      }
    }
    if (uncovered === undefined) continue;
    concerns.push({ reason: uncovered, span: command.span });
    const suggestion = suggestRule(command);
    if (suggestion !== undefined) suggestions.add(suggestion);
  }
  const every = policy.allow.find((rule) => rule.every);
  if (analysis.commands.every(({ argv }) => argv.length === 0) && policy.mode !== "plan") {
    if (every === undefined) concerns.push({ reason: "nothing in it that a rule could cover" });
    else covering.add(every.text);
  }
  concerns.push(...pathConcerns(analysis, workspace));
  if (concerns.length === 0) {
    const rules = [...covering];
    return passed({
      by: rules.length === 0 ? "mode" : "rule",
      reason: rules.length === 0
        ? `covered by the mode "${policy.mode}"`
        : `covered by ${rules.join(", ")}`,
      rules,
    });
  }
  const offered = [...suggestions];
  if (policy.mode !== "dontAsk") return decided("ask", concerns, { suggestions: offered });
  return decided("deny", concerns, {
    reason: `nobody is asked in this mode: ${concerns[0]?.reason ?? ""}`,
  });
}

function passed(
  { by, reason, rules }: { by: "rule" | "mode"; reason: string; rules: readonly string[] },
): Verdict {
  const [rule] = rules;
  return {
    decision: "allow",
    by,
    reason,
    rules,
    concerns: [],
    suggestions: [],
    ...(rule !== undefined && { rule }),
  };
}

function decided(
  decision: "ask" | "deny",
  concerns: readonly Concern[],
  { reason, suggestions = [] }: { reason?: string; suggestions?: readonly string[] },
): Verdict {
  const unique = concerns.filter((concern, index) =>
    concerns.findIndex((other) =>
      other.reason === concern.reason && other.rule === concern.rule
    ) === index
  );
  const ruled = unique.find((concern) => concern.rule !== undefined);
  const first = ruled ?? unique[0];
  return {
    decision,
    reason: reason ?? first?.reason ?? "",
    ...(first?.rule !== undefined && { rule: first.rule }),
    ...(first?.span !== undefined && { span: first.span }),
    concerns: unique,
    rules: [],
    suggestions,
  };
}

function findDenied(analysis: Analysis, policy: Policy): Verdict | undefined {
  for (const rule of policy.deny) {
    const hit = rule.every
      ? { span: undefined }
      : analysis.commands.find((command) => matches(rule, command) === "yes");
    if (hit === undefined) continue;
    const concern: Concern = {
      reason: `"${rule.text}" denies it`,
      rule: rule.text,
      ...(hit.span !== undefined && { span: hit.span }),
    };
    return { ...decided("deny", [concern], {}), rules: [rule.text] };
  }
  return undefined;
}

function matches(rule: Rule, command: SimpleCommand): "yes" | "maybe" | "no" {
  let best: "maybe" | "no" = "no";
  for (const form of allForms(command)) {
    const match = rule.match(form);
    if (match === "yes") return match;
    if (match === "maybe") best = match;
  }
  return best;
}

function askRules(analysis: Analysis, policy: Policy): readonly Concern[] {
  const concerns: Concern[] = [];
  for (const command of analysis.commands) {
    for (const rule of policy.ask) {
      if (matches(rule, command) === "no") continue;
      concerns.push({ reason: `"${rule.text}" asks`, rule: rule.text, span: command.span });
    }
    for (const rule of policy.deny) {
      if (matches(rule, command) !== "maybe") continue;
      concerns.push({
        reason: `it could be what "${rule.text}" denies`,
        rule: rule.text,
        span: command.span,
      });
    }
  }
  const every = policy.ask.find((rule) => rule.every);
  if (every !== undefined) concerns.push({ reason: `"${every.text}" asks`, rule: every.text });
  return concerns;
}

function variableConcerns(analysis: Analysis, { env = [], state }: JudgeFacts): readonly Concern[] {
  const concerns: Concern[] = [];
  const check = (name: string, value: string | null, span?: Span) => {
    if (!isDangerousVariable(name, value)) return;
    concerns.push({
      reason: `the variable "${name}" changes what runs`,
      ...(span !== undefined && { span }),
    });
  };
  for (const { name, value, span } of analysis.sets ?? []) check(name, value, span);
  for (const command of analysis.commands) {
    for (const { name, value } of command.assignments) check(name, value, command.span);
    for (const layer of command.layers ?? []) {
      for (const { name, value } of layer.assignments) check(name, value, command.span);
    }
  }
  for (const name of env) check(name, null);
  for (const name of state?.variables ?? []) check(name, null);
  return concerns;
}

interface Coverage {
  /** The rules that cover the command. */
  readonly rules: readonly Rule[];
  /** Why it is not covered; absent: it is. */
  readonly uncovered?: string;
}

function coverage(
  command: SimpleCommand,
  { analysis, policy }: { analysis: Analysis; policy: Policy },
): Coverage {
  // What is in a text for an interpreter passes or not with the interpreter.
  if (command.argv.length === 0 || command.via !== undefined) return { rules: [] };
  const asWritten = policy.allow.filter((rule) => rule.exact && rule.match(command.argv) === "yes");
  if (asWritten.length > 0) return { rules: asWritten };
  const { argv, inner } = strippedForm(command);
  const covers = (words: readonly (string | null)[]) =>
    policy.allow.filter((rule) => rule.match(words) === "yes");
  const rules = covers(argv);
  const shown = argv.map((word) => word ?? "…").join(" ");
  if (rules.length === 0) {
    if (policy.mode === "plan" || (policy.mode === "acceptEdits" && editsOnly(argv, analysis))) {
      return { rules };
    }
    return {
      rules,
      uncovered: `no rule covers "${shown.length > 120 ? `${shown.slice(0, 120)}…` : shown}"`,
    };
  }
  const all = [...rules];
  for (const layer of inner) {
    if (!layer.sure || !/^(?:xargs|gxargs|find|fd|fdfind)$/.test(layer.by)) continue;
    const found = covers(layer.argv);
    if (found.length === 0) {
      return {
        rules,
        uncovered: `no rule covers "${
          layer.argv.map((word) => word ?? "…").join(" ")
        }", which "${layer.by}" runs`,
      };
    }
    all.push(...found);
  }
  return { rules: all };
}

function lifted(danger: Danger, rules: readonly Rule[], policy: Policy): boolean {
  if (policy.accept.has(danger.name)) return true;
  const { unless } = danger;
  if (unless === undefined) return false;
  return rules.some((rule) => rule.exact || (unless !== "exact" && rule.spelled >= unless));
}
