/** Programs whose exit code 1 is a result and no failure, with its meaning. */
const ONE: Readonly<Record<string, string>> = {
  grep: "no line matched",
  egrep: "no line matched",
  fgrep: "no line matched",
  zgrep: "no line matched",
  rg: "no line matched",
  ag: "no line matched",
  pgrep: "no process matched",
  diff: "the files differ",
  cmp: "the files differ",
  colordiff: "the files differ",
  test: "the condition is false",
  "[": "the condition is false",
  "[[": "the condition is false",
};

/**
 * What an exit code means where it is no failure, by the last program of the line; `undefined` where
 * a non-zero code is one.
 *
 * It reads the line without a grammar: a line that it misreads has a failure without a note.
 */
export function exitNote(command: string, code: number): string | undefined {
  if (code !== 1) return undefined;
  const plain = command.replaceAll(/'[^']*'|"(?:\\.|[^"\\])*"|\\./gs, "_");
  const last = plain.split(/\|\||&&|[|;&\n]/).map((part) => part.trim()).filter(Boolean).at(-1);
  const words = last?.split(/\s+/).filter((word) => !/^[A-Za-z_]\w*=/.test(word)) ?? [];
  const program = words[0]?.split("/").at(-1) ?? "";
  if (program === "git" && /^(diff|grep)$/.test(words[1] ?? "")) return ONE[words[1] ?? ""];
  return Object.hasOwn(ONE, program) ? `${program}: ${ONE[program]}` : undefined;
}
