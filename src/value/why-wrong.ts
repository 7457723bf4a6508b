import type * as v from "valibot";

/** Whether an issue is about an object that lacks a field, which may be one in another. */
export function isMissing({ type, expected }: v.BaseIssue<unknown>): boolean {
  return type.endsWith("object") && expected?.startsWith('"') === true;
}

/** What is wrong with a value: the words of the schema, or what it must be in place of those of valibot. */
export function whyWrong(issue: v.BaseIssue<unknown>): string {
  const { message, expected } = issue;
  if (isMissing(issue)) return "it is missing";
  if (!message.startsWith("Invalid ") || expected === null) return message;
  const bound = /^([<>]=?)(.*)$/.exec(expected);
  if (bound !== null) return `it must be ${BOUNDS[bound[1] ?? ""]?.(bound[2] ?? "") ?? expected}`;
  const kinds = expected.replaceAll(/^\(+|\)+$|(?<= )\(|\)(?= )/g, "")
    .replace("boolean", "true | false").split(" | ");
  const named = kinds.map((kind) => KINDS[kind] ?? kind.replace(/^(?=[A-Z])/, "an instance of "));
  return `it must be ${new Intl.ListFormat("en", { type: "disjunction" }).format(named)}`;
}

const BOUNDS: Readonly<Record<string, (limit: string) => string>> = {
  ">=": (limit) => `${limit} or more`,
  ">": (limit) => `more than ${limit}`,
  "<=": (limit) => `at most ${limit}`,
  "<": (limit) => `less than ${limit}`,
};

const KINDS: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  Array: "an array",
  Object: "an object",
  Function: "a function",
};
