import { isNumber, isUnknown, plainText, type Words } from "../words/word-marks.ts";

/** Options of `shopt` that change nothing about how text is read. */
const SAFE_SHOPT: RegExp =
  /^(?:-[suqp]+|globstar|nullglob|failglob|checkwinsize|histappend|inherit_errexit)$/;

/** The same of `set -o`. */
const SAFE_SET = /^(?:pipefail|errexit|nounset|xtrace|verbose|noglob|noclobber|monitor|)$/;

/** Whether `shopt` changes nothing about how text is read. */
export function safeShopt(texts: Words): boolean {
  return texts.every((text) => SAFE_SHOPT.test(text));
}

/** Whether an option with which a shell is started changes nothing about how text is read, and runs none. */
export function safeFlag(name: string, value: string): boolean {
  if (name === "o") return SAFE_SET.test(plainText(value));
  return name === "O" ? SAFE_SHOPT.test(plainText(value)) : !/^[akC]$/.test(name);
}

/** Whether `set` changes nothing about how text is read. */
export function safeSet(words: Words): boolean {
  for (let at = 0; at < words.length; at++) {
    const text = plainText(words[at]);
    if (text === "--" || text === "-") return true;
    if (!/^[-+]/.test(text)) return !isUnknown(text) || isNumber(text);
    if (!/^[-+][aeuxvfhbmCBEo]+$/.test(text)) return false;
    if (text.includes("o") && !SAFE_SET.test(plainText(words[++at]))) return false;
  }
  return true;
}
