import type { Words } from "./words.ts";

/** Options to look for: long names with their dashes, and single letters. */
export interface FlagNames {
  readonly long?: readonly string[];
  readonly short?: string;
}

/**
 * Whether any word gives one of the options: whole, with a value, as a beginning that GNU programs take
 * for it (three letters and more), or in a cluster of letters.
 */
export function hasFlag(words: Words, { long = [], short = "" }: FlagNames): boolean {
  for (const word of words) {
    if (word === null || !word.startsWith("-") || word === "-") continue;
    if (word === "--") return false;
    if (word.startsWith("--")) {
      const name = word.split("=")[0] ?? "";
      if (long.includes(name)) return true;
      if (name.length >= 4 && long.some((each) => each.startsWith(name))) return true;
      continue;
    }
    if (long.includes(word.split("=")[0] ?? "")) return true;
    const letters = /^-([A-Za-z0-9]+)/.exec(word)?.[1] ?? "";
    if ([...short].some((letter) => letters.includes(letter))) return true;
  }
  return false;
}

/** The words that are no options. */
export function operandsOf(words: Words): Words {
  const end = words.indexOf("--");
  const before = end === -1 ? words : words.slice(0, end);
  return [
    ...before.filter((word) => word === null || word === "-" || !word.startsWith("-")),
    ...(end === -1 ? [] : words.slice(end + 1)),
  ];
}
