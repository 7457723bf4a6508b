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
  return text.startsWith(pattern.slice(0, end)) &&
    overlap([...pattern], [...text], { isRun: (char) => char === ANY });
}

/** Whether a subject could fit a pattern, for some text in place of what is unknown in it. */
export function couldFit(pattern: string, text: string): boolean {
  return text.includes(UNKNOWN) &&
    overlap([...pattern], [...text], { isRun: (char) => char === ANY || char === UNKNOWN });
}
