import type { Span } from "../event/analysis.ts";
import { defined } from "../value/defined.ts";
import type { Concern } from "../event/permission.ts";

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
  /** What allows it, if it is allowed. */
  readonly by?: "rule" | "mode";
  /** The tool that serves it better, where that is why it is denied. */
  readonly tool?: string;
  /** Rules that would cover what no rule covers yet. */
  readonly suggestions: readonly string[];
}

/** The verdict on what rules allow, or without one the mode, for its reason. */
export function passed(rules: readonly string[], byMode: string): Verdict {
  const [rule] = rules;
  const by = rule === undefined ? "mode" : "rule";
  const reason = rule === undefined ? byMode : `covered by ${rules.join(", ")}`;
  const lists = { rules, concerns: [], suggestions: [] };
  return { decision: "allow", by, reason, ...lists, ...defined({ rule }) };
}

/** The verdict on what raises concerns; its reason is that of the first, those of rules before others. */
export function stopped(
  decision: "ask" | "deny",
  concerns: readonly Concern[],
  more: Partial<Pick<Verdict, "reason" | "rules" | "suggestions" | "tool">> = {},
): Verdict {
  const keyed = new Map(concerns.map((each) => [`${each.rule}\0${each.reason}`, each]));
  const unique = [...keyed.values()];
  const first = unique.find((each) => each.rule !== undefined) ?? unique[0];
  const { reason = "", rule, span } = first ?? {};
  const lists = { concerns: unique, rules: [], suggestions: [] };
  return { decision, reason, ...defined({ rule, span }), ...lists, ...more };
}
