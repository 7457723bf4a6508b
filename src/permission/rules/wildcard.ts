import { overlap } from "../../platform/file/pattern-overlap.ts";
import type { Words } from "../words.ts";

/** Stands for any run of characters in a pattern. */
export const ANY = "\ue110";
/** Separates words; it occurs in no command line. */
export const BETWEEN = "\0";
/** Stands in a subject for text known only at run time. */
export const UNKNOWN = "\ue111";

/** Put words into one subject to match against. */
export function subject(words: Words): string {
  return words.map((word) => word ?? UNKNOWN).join(BETWEEN);
}

/** Whether a subject fits a pattern. What is unknown in the subject fits only {@linkcode ANY}. */
export function fits(pattern: string, text: string): boolean {
  const end = pattern.indexOf(ANY);
  if (end < 0) return pattern === text;
  if (!text.startsWith(pattern.slice(0, end))) return false;
  if (text.includes(ANY)) {
    return overlap([...pattern], [...text], { isRun: (char) => char === ANY });
  }
  // Each part as early as it can be, and the last one at the end.
  const [, ...parts] = pattern.split(ANY);
  const last = parts.pop() ?? "";
  let at = end;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

const OPEN = new RegExp(`[${ANY}${UNKNOWN}]`);

/** Whether a subject could fit a pattern, for some text in place of what is unknown in it. */
export function couldFit(pattern: string, text: string): boolean {
  const end = text.indexOf(UNKNOWN);
  if (end < 0) return false;
  // Most differ in front of what is open in one of them.
  const [known = ""] = pattern.split(OPEN, 1);
  const front = Math.min(known.length, end);
  return (text.startsWith(known.slice(0, front)) || text.includes(ANY)) &&
    overlap([...pattern], [...text], { isRun: (char) => char === ANY || char === UNKNOWN });
}
