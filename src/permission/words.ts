/** The words of a command; `null` for one known only at run time. */
export type Words = readonly (string | null)[];

const LONGEST_SHOWN = 120;

/** Words as a person reads them. */
export function shownWords(words: Words): string {
  const shown = words.map((word) => word ?? "…").join(" ");
  return shown.length > LONGEST_SHOWN ? `${shown.slice(0, LONGEST_SHOWN)}…` : shown;
}

/** The name of a program without its directory. */
export function baseName(program: string): string {
  return program.replace(/^.*[\\/]/, "");
}
