import { isLoopVariable, OWN } from "./persistent-dialect.ts";

/** The names that a pattern finds at the beginnings of lines. */
export function names(text: string, pattern: RegExp): string[] {
  return text.split("\n").flatMap((line) => pattern.exec(line)?.[1] ?? []);
}

/** The variables that a pattern finds in changed lines, and others that have changed; those of ours are left out. */
export function variablesIn(
  changed: string,
  pattern: RegExp,
  others: readonly string[],
): readonly string[] {
  const all = new Set([...names(changed, pattern), ...others]);
  return [...all].filter((name) => !OWN.has(name) && !isLoopVariable(name));
}

/** The lines that were not there at first, and those that are not there any more. */
export function changes(text: string, first: string): string {
  if (text === first) return "";
  const before = new Set(first.split("\n"));
  const now = new Set(text.split("\n"));
  const gone = [...before].filter((line) => !now.has(line));
  return [...[...now].filter((line) => !before.has(line)), ...gone].join("\n");
}
