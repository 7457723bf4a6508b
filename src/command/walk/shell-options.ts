import { type OptionSpec, optionSpec, parseOptions } from "../program/parse-options.ts";
import { UNKNOWN } from "../words/placeholders.ts";
import { isNumber, isUnknown, plainText, type Words } from "../words/word-marks.ts";

/** Builtins that take names of variables, with their options. */
// deno-fmt-ignore
export const NAME_TAKERS: ReadonlyMap<string, OptionSpec> = new Map(([
  ["read", "a: d: i: n: N: p: t: u: e r s"],
  ["mapfile readarray", "C: c: d: n: O: s: t u:"],
  ["printf", "v:"], ["wait", "p: f n"], ["getopts let", ""], ["unset", "f v n"],
  ["declare typeset local export readonly", "A a f F g i I l n p r t u x"],
] as const).flatMap(([names, table]) => names.split(" ").map((name) => [name, optionSpec(table)] as const)));

/** Builtins that declare variables, and export functions with `-f`. */
export const DECLARES: RegExp = /^(?:declare|typeset|local|export|readonly)$/;

/** The words that a builtin takes for names. */
export function namesTaken(builtin: string, words: Words): readonly string[] {
  const spec = NAME_TAKERS.get(builtin);
  const plain = words.filter((word) => !/^\+[A-Za-z]/.test(plainText(word)));
  const { options, operands, unknown } = parseOptions(plain, { spec, strict: true });
  const values = options.flatMap(({ name, value }) =>
    name === VALUE_IS_NAME[builtin] ? value ?? [] : []
  );
  if (builtin === "printf" || builtin === "wait") {
    // An option that comes from a variable can be any, with a value behind it.
    const isAny = isUnknown(operands[0]?.slice(0, 1)) && !isNumber(operands[0] ?? "");
    return isAny ? [...values, ...operands.slice(0, 2)] : values;
  }
  // `getopts` takes a list of letters first.
  const named = builtin === "getopts" ? operands.slice(1, 2) : operands;
  return [...values, ...named, ...(unknown ? [UNKNOWN] : [])];
}

/** The options whose value is a name. */
const VALUE_IS_NAME: Readonly<Record<string, string>> = { printf: "v", wait: "p", read: "a" };
