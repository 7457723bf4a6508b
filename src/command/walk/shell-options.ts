import { type OptionSpec, optionSpec } from "../program/parse-options.ts";
import { isNumber, isUnknown, plainText, type Words } from "../words/word-marks.ts";

/** Options of `shopt` that change nothing about how text is read. */
export const SAFE_SHOPT: RegExp =
  /^(?:-[suqp]+|globstar|nullglob|failglob|nocaseglob|nocasematch|checkwinsize|histappend|inherit_errexit)$/;

/** The same of `set -o`. */
const SAFE_SET =
  /^(?:pipefail|errexit|nounset|xtrace|verbose|noglob|noclobber|errtrace|functrace|)$/;

/** Whether `set` changes nothing about how text is read. */
export function safeSet(words: Words): boolean {
  for (let at = 0; at < words.length; at++) {
    const text = plainText(words[at]);
    if (text === "--" || text === "-") return true;
    if (!/^[-+]/.test(text)) return !isUnknown(text) || isNumber(text);
    if (!/^[-+][aeuxvfhbCBo]+$/.test(text)) return false;
    if (text.includes("o") && !SAFE_SET.test(plainText(words[++at]))) return false;
  }
  return true;
}

/** Builtins that take names of variables, with their options. */
// deno-fmt-ignore
export const NAME_TAKERS: ReadonlyMap<string, OptionSpec> = new Map(([
  ["read", "a: d: i: n: N: p: t: u: e r s"],
  ["mapfile readarray", "C: c: d: n: O: s: t u:"],
  ["printf", "v:"], ["wait", "p: f n"], ["getopts let", ""], ["unset", "f v n"],
  ["declare typeset local export readonly", "A a f F g i I l n p r t u x"],
] as const).flatMap(([names, table]) => names.split(" ").map((name) => [name, optionSpec(table)] as const)));
