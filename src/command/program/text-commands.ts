import type { Danger } from "../../event/analysis.ts";
import { ANY } from "../words/placeholders.ts";
import { plainText, type Words } from "../words/word-marks.ts";
import type { Input } from "./code.ts";
import type { Program } from "./program-record.ts";
import type { Programs } from "./programs.ts";
import type { Inspection } from "./taken-apart.ts";

/** How deep programs may start programs; what lies beyond counts as any text. */
const DEEPEST = 24;
const PIPED: Input = { from: "pipe", text: null };

/** Whether a program could hand its words to a shell, and no record says which. */
export function handsOn(program: Program | undefined): boolean {
  if (program === undefined) return true;
  const { runs, operands = "none", syntax, starts } = program;
  return runs === true && operands === "none" && syntax === undefined && !starts?.apart;
}

/** The commands in words that are texts, as far as blanks and operators tell: they begin with a known program. */
export function textCommands(
  words: Words,
  programs: Programs,
  inspect: (words: Words, input: Input) => Inspection,
): readonly Inspection[] {
  const deep = (each: Words, input: Input, depth = 0, isReading = false): readonly Inspection[] => {
    if (depth > DEEPEST) return [inspect(["sh"], PIPED)];
    const found = inspect(each, input);
    const texts = found.texts.flatMap(({ text }) => text ?? []);
    // Every reading behind a reading is one of the outer ones, too.
    const started = found.started.filter(({ sure }) => sure || !isReading);
    return [
      found,
      ...started.flatMap(({ words, sure }) => deep(words, {}, depth + 1, isReading || !sure)),
      ...textCommands(texts, programs, inspect),
    ];
  };
  return words.map(plainText).filter((whole) => /\S\s+\S/.test(whole)).flatMap((whole) => {
    const text = [/^(?:--?)?[\w-]+=/, /^-\w/, /^-\w\w/, /^/]
      .map((option) => whole.replace(option, ""))
      .find((each) => programs.find(commandsIn(each)[0] ?? []) !== undefined);
    if (text === undefined) return [];
    const [first = [], ...others] = commandsIn(text);
    const written = [...text.matchAll(/>\s*([^\s>&|;]+)/g)].map(([, file = ""]) => ["tee", file]);
    return [
      ...[first, ...written].flatMap((each) => deep(each, {})),
      ...others.flatMap((each) => deep(each, PIPED)),
    ].filter(({ facts }) => facts.known);
  });
}

/** The words of the commands in a text, without what stands in front of a program. */
function commandsIn(text: string): readonly Words[] {
  const commands: string[][] = [[]];
  for (const [token] of text.matchAll(/[;&|\n]+|(?:"[^"]*"|'[^']*'|[^\s;&|"'])+|["']/g)) {
    const isQuoted = /^(["'])[^]*\1$/.test(token);
    const word = isQuoted ? token.slice(1, -1) : token.replace(/["'`(){}]|^\$(?=\()/g, "");
    if (/^[;&|\n]/.test(token)) commands.push([]);
    else if (commands.at(-1)?.length || !IN_FRONT.test(word)) commands.at(-1)?.push(word);
  }
  return commands.filter((words) => words.length > 0);
}

/** What is dangerous about one of them; text for a shell that is not known is what comes through a pipe. */
export function dangersIn({ name, facts, texts }: Inspection): readonly Danger[] {
  if (!texts.some(({ text }) => text === null)) return facts.dangers ?? [];
  const reason = `"${name}" runs what comes through a pipe`;
  return [{ name: "pipe-to-interpreter", reason, words: [] }];
}

/** Words of the shell, variables that are set for one command, and what can be empty. */
const IN_FRONT = new RegExp(`^(?:|!|if|then|do|else|while|until|\\w+=.*|[${ANY}]+)$`);
