import type * as v from "valibot";

/** Whether an issue is about an object that lacks a field, which may be one in another. */
export function isMissing({ type, expected }: v.BaseIssue<unknown>): boolean {
  return type.endsWith("object") && expected?.startsWith('"') === true;
}

/** What is wrong with a value: the words of the schema, or what it must be in place of those of valibot. */
export function whyWrong(issue: v.BaseIssue<unknown>): string {
  const { type, message, expected, requirement } = issue;
  if (isMissing(issue)) return "it is missing";
  if (!message.startsWith("Invalid ")) return message;
  const rule = RULES[type]?.(String(requirement));
  if (rule !== undefined) return rule;
  if (expected === null) return message;
  const kinds = expected.replaceAll(/^\(+|\)+$|(?<= )\(|\)(?= )/g, "")
    .replace("boolean", "true | false").split(" | ");
  const named = kinds.map((kind) => KINDS[kind] ?? kind.replace(/^(?=[A-Z])/, "an instance of "));
  return `it must be ${new Intl.ListFormat("en", { type: "disjunction" }).format(named)}`;
}

/** By the names that valibot gives them; what they require is a number, or an expression. */
const RULES: Readonly<Record<string, (required: string) => string>> = {
  min_value: (least) => `it must be ${least} or more`,
  gt_value: (bound) => `it must be more than ${bound}`,
  max_value: (most) => `it must be at most ${most}`,
  lt_value: (bound) => `it must be less than ${bound}`,
  max_length: (most) => `it must be at most ${most} long`,
  non_empty: () => "it is empty",
  integer: () => "it must be a whole number",
  safe_integer: () => "it must be a whole number",
  finite: () => "it must be finite",
  regex: (expression) => `it must match ${expression}`,
};

const KINDS: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  Array: "an array",
  Object: "an object",
  Function: "a function",
};
