/**
 * The names that a pattern finds at the beginnings of lines.
 *
 * @param isOwn Which of them are ours, and not reported.
 */
export function names(
  text: string,
  pattern: RegExp,
  isOwn: (name: string) => boolean = () => false,
): string[] {
  const found: string[] = [];
  for (const line of text.split("\n")) {
    const name = pattern.exec(line)?.[1];
    if (name !== undefined && !isOwn(name)) found.push(name);
  }
  return found;
}

/** The lines that were not there at first, and those that are not there any more. */
export function changes(text: string, first: string): string {
  if (text === first) return "";
  const before = new Set(first.split("\n"));
  const now = new Set(text.split("\n"));
  const gone = [...before].filter((line) => !now.has(line));
  return [...[...now].filter((line) => !before.has(line)), ...gone].join("\n");
}
