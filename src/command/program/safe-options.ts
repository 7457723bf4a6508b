import { isNumber, isUnknown, plainText, type Words } from "../words/word-marks.ts";

/** Options of `shopt` that change nothing about how text is read. */
const SAFE_SHOPT: RegExp =
  /^(?:-[suqp]+|globstar|nullglob|failglob|checkwinsize|histappend|inherit_errexit)$/;

/** The same of `set -o`. */
const SAFE_SET = /^(?:pipefail|errexit|nounset|xtrace|verbose|noglob|noclobber|)$/;

/** Whether `shopt` changes nothing about how text is read. */
export function safeShopt(texts: Words): boolean {
  return texts.every((text) => SAFE_SHOPT.test(text));
}

/** Whether a shell is started with options, as `-eo pipefail`, that change nothing about how text is read. */
export function safeFlags(flags: string, values: Words): boolean {
  const named = [...flags].filter((letter) => /[oO]/.test(letter));
  return !flags.includes("k") && named.every((letter, at) => {
    const value = plainText(values[at]);
    return (letter === "o" ? SAFE_SET : SAFE_SHOPT).test(value);
  });
}

/** Whether `set` changes nothing about how text is read. */
export function safeSet(words: Words): boolean {
  for (let at = 0; at < words.length; at++) {
    const text = plainText(words[at]);
    if (text === "--" || text === "-") return true;
    if (!/^[-+]/.test(text)) return !isUnknown(text) || isNumber(text);
    if (!/^[-+][aeuxvfhbCBEo]+$/.test(text)) return false;
    if (text.includes("o") && !SAFE_SET.test(plainText(words[++at]))) return false;
  }
  return true;
}
