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
/** The name in front of a function. */
const FUNCTION = /(?<![\w-])[\w-]+\s*\(\s*\)\s*/g;
/** Words in front of a program, and how many groups, loops and conditions each begins or ends. */
const NESTING: ReadonlyMap<string, number> = new Map([
  ...["{", "if", "for", "while", "until", "select", "case"].map((word) => [word, 1] as const),
  ...["}", "fi", "done", "esac"].map((word) => [word, -1] as const),
  ...["then", "do", "else", "elif", "!", "time"].map((word) => [word, 0] as const),
]);
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
    .replaceAll(FUNCTION, "");
  /** What the code means if it is that of a program that can have ended the line with it. */
  let meanings: (string | undefined)[] = [];
  let depth = 0;
  for (const [, operator, part = ""] of outside(plain).matchAll(PART)) {
    const words = part.split(/\s+/).filter((word) => word !== "" && !/^[A-Za-z_]\w*=/.test(word));
    const first = words.findIndex((word) => !NESTING.has(word));
    const leading = words.slice(0, first < 0 ? undefined : first);
    const [name = "", subcommand = ""] = words.slice(leading.length);
    const program = name.split("/").at(-1) ?? "";
    const isInside = depth > 0;
    for (const word of leading) depth = Math.max(0, depth + (NESTING.get(word) ?? 0));
    if (ENDS.includes(program)) return undefined;
    // An assignment alone ends with the code of what it substitutes.
    if (isInside || (words.length === 0 && !part.includes("_"))) continue;
    if (operator === "|") meanings.pop();
    else if (operator !== "&&") meanings = [];
    meanings.push(leading.length > 0 ? undefined : meaningOf(program, subcommand));
  }
  return meanings.includes(undefined) ? undefined : meanings.findLast((each) => each !== "");
}

/** A text with `_` for each part in parentheses, and `_` for all of it where one of them is not closed. */
function outside(text: string): string {
  let depth = 0;
  const rest = text.replaceAll(/[()]|[^()]+/g, (piece) => {
    if (piece === "(") return depth++ === 0 ? "_" : "";
    if (depth === 0) return piece;
    if (piece === ")") depth--;
    return "";
  });
  return depth === 0 ? rest : "_";
}

function meaningOf(program: string, subcommand: string): string | undefined {
  if (NEVER.includes(program)) return "";
  if (program === "git" && /^(diff|grep)$/.test(subcommand)) return ONE[subcommand];
  return Object.hasOwn(ONE, program) ? `${program}: ${ONE[program]}` : undefined;
}
