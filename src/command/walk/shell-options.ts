import { isNumber, isUnknown, plainText } from "../words/marks.ts";

/** Options of `shopt` that change nothing about how text is read. */
export const SAFE_SHOPT: RegExp =
  /^(?:-[suqp]+|globstar|nullglob|failglob|nocaseglob|nocasematch|checkwinsize|histappend|inherit_errexit)$/;

/** Whether `set` changes nothing about how text is read. */
export function safeSet(words: readonly string[]): boolean {
  for (let at = 0; at < words.length; at++) {
    const text = plainText(words[at] ?? "");
    if (text === "--" || text === "-") return true;
    if (!/^[-+]/.test(text)) return !isUnknown(text) || isNumber(text);
    if (!/^[-+][euxvfhbCBo]+$/.test(text)) return false;
    if (
      text.includes("o") &&
      !/^(?:pipefail|errexit|nounset|xtrace|verbose|noglob|noclobber|errtrace|functrace|)$/.test(
        plainText(words[++at] ?? ""),
      )
    ) {
      return false;
    }
  }
  return true;
}
