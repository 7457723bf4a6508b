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

/** Programs that do not fail with 1, or report it where they do. */
const NEVER = ["cd", "echo", "printf", "true", ":"];
/** What can end a line before its last program. */
const ENDS = ["exit", "return", "exec", "set", "trap"];

/** What separates no programs, whatever stands in it: quoted text, copies of descriptors, and comments. */
const PLAIN =
  /\$'(?:\\.|[^'\\])*'|'[^']*'|"(?:\\.|[^"\\])*"|`[^`]*`|\\.|[<>]&|&>|(?<![^\s;&|()])#[^\n]*/gs;
const PART = /(^|\|\||&&|[|;&\n])([^|;&\n]*)/g;

/**
 * What an exit code means where it is no failure; `undefined` where it can be one of any program of
 * the line.
 *
 * It reads the line without a grammar: a line that it misreads has a failure without a note.
 */
export function exitNote(command: string, code: number): string | undefined {
  if (code !== 1) return undefined;
  const plain = command.replaceAll(PLAIN, (text) => text.startsWith("#") ? "" : "_")
    .replaceAll(/\([^()]*\)/g, "_");
  /** What the code means if it is that of a program that can have ended the line with it. */
  let meanings: (string | undefined)[] = [];
  for (const [, operator, part = ""] of plain.matchAll(PART)) {
    const words = part.split(/\s+/).filter((word) => word !== "" && !/^[A-Za-z_]\w*=/.test(word));
    const program = words[0]?.split("/").at(-1) ?? "";
    // An assignment alone ends with the code of what it substitutes.
    if (program === "" && !part.includes("_")) continue;
    if (ENDS.includes(program)) return undefined;
    if (operator === "|") meanings.pop();
    else if (operator !== "&&") meanings = [];
    meanings.push(meaningOf(program, words[1] ?? ""));
  }
  return meanings.includes(undefined) ? undefined : meanings.findLast((each) => each !== "");
}

function meaningOf(program: string, subcommand: string): string | undefined {
  if (NEVER.includes(program)) return "";
  if (program === "git" && /^(diff|grep)$/.test(subcommand)) return ONE[subcommand];
  return Object.hasOwn(ONE, program) ? `${program}: ${ONE[program]}` : undefined;
}
