/** The words of a command; `null` for one known only at run time. */
export type Words = readonly (string | null)[];

/** Words as a person reads them. */
export function shownWords(words: Words): string {
  return words.map((word) => word ?? "…").join(" ");
}

/** The name of a program without its directory. */
export function baseName(program: string): string {
  return program.replace(/^.*[\\/]/, "");
}
