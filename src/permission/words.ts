/** The words of a command; `null` for one known only at run time. */
export type Words = readonly (string | null)[];

const LONGEST_SHOWN = 120;

/** Words as a person reads them. */
export function shownWords(words: Words): string {
  const shown = words.map((word) =>
    word === null ? "…" : /^$|[\s"'|&;<>()$`\\]/.test(word) ? `'${word}'` : word
  ).join(" ");
  return shown.length > LONGEST_SHOWN ? `${shown.slice(0, LONGEST_SHOWN)}…` : shown;
}

/**
 * Check names that a caller gave for things that are known.
 *
 * @throws {TypeError} With the field, the first name that is not known, and those that are.
 */
export function checkNames(
  field: string,
  given: readonly string[],
  known: readonly string[],
): void {
  const name = given.find((each) => !known.includes(each));
  if (name === undefined) return;
  const names = [...new Set(known)].join(", ");
  throw new TypeError(`Cannot use ${field} "${name}": there is no such name; there are ${names}`);
}

/** The name of a program without its directory. */
export function baseName(program: string): string {
  return program.replace(/^.*[\\/]/, "");
}

/** Whether a word is known to be an option. */
export function isOption(word: string | null | undefined): boolean {
  return /^[-+]./.test(word ?? "");
}
