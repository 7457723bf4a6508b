import type { MarkedWord } from "../../words/word.ts";
import type { Doubt } from "../../doubt.ts";
import { isUnknown, plainText } from "../../words/marks.ts";

const NAME_TAKERS = new Set(
  "let read declare typeset local export readonly unset mapfile readarray getopts wait".split(" "),
);
const TESTS = new Set(["test", "["]);
/** What changes how the rest of the line, or the next one, is read. */
const REWRITERS: ReadonlyMap<string, string> = new Map([
  ["alias", "an alias changes what names mean"],
  ["unalias", "an alias changes what names mean"],
  ["enable", "builtins are loaded or switched off"],
  ["shopt", "a shell option changes how text is read"],
  ["coproc", "a coprocess"],
  ["bind", "keys are bound to commands"],
  ["fc", "a command of the history is run again"],
]);
const SUBSCRIPT = /\[[^]*(?:\$\(|`|\$\{)/;

/** Find builtins that evaluate their words once more, or change what words mean. */
export function evaluationDoubts(
  words: readonly MarkedWord[],
  numbers: ReadonlySet<string>,
): readonly Doubt[] {
  const [program, ...rest] = words;
  if (program === undefined) return [];
  const name = plainText(program.marked);
  const span = { start: program.span.start, end: rest.at(-1)?.span.end ?? program.span.end };
  const doubts: Doubt[] = [];
  const doubt = (reason: string) => doubts.push({ reason, span });
  const rewriter = REWRITERS.get(name);
  if (rewriter !== undefined) doubt(rewriter);
  const texts = rest.map((word) => plainText(word.marked));
  if (name === "hash" && texts.length > 0) doubt("the table of programs is changed");
  const targets = targetsOf(name, rest);
  if (targets.some((word) => SUBSCRIPT.test(plainText(word.marked)))) {
    doubt("a subscript that is evaluated");
  }
  if (name === "let" && rest.some((word) => !plainSum(plainText(word.marked), numbers))) {
    doubt("arithmetic over text known only at run time");
  }
  if (
    /^(?:declare|typeset|local)$/.test(name) && texts.some((text) => /^-[A-Za-z]*[in]/.test(text))
  ) {
    doubt("a variable whose values are evaluated");
  }
  if (name !== "export" && name !== "let" && targets.some((word) => isUnknown(nameOf(word)))) {
    doubt("a variable whose name is known only at run time");
  }
  return doubts;
}

function nameOf(word: MarkedWord): string {
  return word.marked.split("=")[0] ?? "";
}

/** The words that bash takes for names of variables. */
function targetsOf(name: string, rest: readonly MarkedWord[]): readonly MarkedWord[] {
  if (NAME_TAKERS.has(name)) return rest;
  const after = (option: string) =>
    rest.flatMap((word, index) => {
      const text = plainText(word.marked);
      if (text === option) return rest.slice(index + 1, index + 2);
      return name === "printf" && index === 0 && text.startsWith("-v") ? [word] : [];
    });
  if (name === "printf" || TESTS.has(name)) return after("-v");
  return [];
}

function plainSum(text: string, numbers: ReadonlySet<string>): boolean {
  if (isUnknown(text) || /[[$`'"]/.test(text)) return false;
  const value = text.replace(/^[A-Za-z_]\w*[-+*/%]?=/, "");
  return (value.match(/[A-Za-z_]\w*/g) ?? []).every((name) => numbers.has(name));
}
