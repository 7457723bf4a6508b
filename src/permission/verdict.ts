import type { Span } from "../event/command.ts";
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

/** What allows a command, and the rules that cover it. */
interface Passing {
  readonly by: "rule" | "mode";
  readonly reason: string;
  readonly rules: readonly string[];
}

/** The verdict on what is allowed. */
export function passed({ by, reason, rules }: Passing): Verdict {
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

/** What a verdict says beyond its concerns. */
interface Remarks {
  /** Default: the reason of the first concern, those of rules before others. */
  readonly reason?: string;
  readonly rules?: readonly string[];
  readonly suggestions?: readonly string[];
  readonly tool?: string;
}

/** The verdict on what raises concerns; each is named once. */
export function stopped(
  decision: "ask" | "deny",
  concerns: readonly Concern[],
  { reason, rules = [], suggestions = [], tool }: Remarks = {},
): Verdict {
  const unique = concerns.filter((concern, index) =>
    concerns.findIndex((other) =>
      other.reason === concern.reason && other.rule === concern.rule
    ) === index
  );
  const first = unique.find((concern) => concern.rule !== undefined) ?? unique[0];
  return {
    decision,
    reason: reason ?? first?.reason ?? "",
    ...(first?.rule !== undefined && { rule: first.rule }),
    ...(first?.span !== undefined && { span: first.span }),
    concerns: unique,
    rules,
    suggestions,
    ...(tool !== undefined && { tool }),
  };
}
