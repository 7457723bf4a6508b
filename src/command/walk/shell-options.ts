import { type OptionSpec, optionSpec } from "../program/parse-options.ts";

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
