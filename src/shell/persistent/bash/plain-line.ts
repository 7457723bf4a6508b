/** Builtins that change nothing of a shell, with what their arguments, rid of all quotes, have to be for that. */
const HARMLESS: Readonly<Record<string, (args: readonly string[]) => boolean>> = {
  ":": () => true,
  true: () => true,
  false: () => true,
  echo: () => true,
  // In posix mode, `-P` sets a variable.
  pwd: (args) => args.length === 0,
  // `-v` assigns to a variable, and so does `%n`.
  printf: ([format = "-"]) => /^(?!-)(?:[^%]|%[%bds])*$/.test(format),
};

/** Unquoted, what no shell expands, splits or takes for an operator, wherever in a word; printable ASCII. */
const WORD = String.raw`(?:[\w./:,+@%^=-]|'[ -&(-~]*'|"[ #%-\[\]-_a-~]*")+`;
const LINE = new RegExp(`^ *([a-z:]+)((?: +${WORD})*) *$`);
const WORDS = new RegExp(WORD, "g");

/** In a longer line to find that out takes longer than a whole report. */
const LONGEST = 4096;

/**
 * Whether a line runs one builtin that changes nothing of the shell, with words that stand for
 * themselves. Holds where lines mean what they say, as {@linkcode ReportedState.literal} tells.
 */
export function isPlainLine(line: string): boolean {
  if (line.length > LONGEST) return false;
  const [, name = "", rest = ""] = LINE.exec(line) ?? [];
  if (!Object.hasOwn(HARMLESS, name)) return false;
  const args = rest.match(WORDS) ?? [];
  return HARMLESS[name]?.(args.map((word) => word.replaceAll(/["']/g, ""))) ?? false;
}
