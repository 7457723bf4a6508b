/** A function that answers from memory what it was asked before: for the texts of records, of which there are few. */
export function remembered<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const answer = known.get(text) ?? make(text);
    known.set(text, answer);
    return answer;
  };
}

/** The regular expression of a record. */
export const pattern: (text: string) => RegExp = remembered((text) => new RegExp(text));

/** The same, in letters of either case. */
export const anyCase: (text: string) => RegExp = remembered((text) => new RegExp(text, "i"));

/** What fits each of the names of a record as a whole. */
export const anyOf: (names: string) => RegExp = remembered((names) =>
  new RegExp(`^(?:${names.replaceAll(" ", "|")})$`)
);

/** The names of a record, separated by blanks. */
export const names: (list: string) => readonly string[] = remembered((list) => list.split(" "));
