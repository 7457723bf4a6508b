import { isNumber, lineOf, plainText, type Words } from "../../words/word-marks.ts";
import { pattern } from "../remembered.ts";
import type { Command } from "../taken-apart.ts";
import { filtered } from "./filters.ts";
import { columns, type Lines, NUMBERS } from "./output-lines.ts";

/** What a command prints, by its words; `undefined`: any text. */
export function printedLines(command: Command, spelling: string): Lines | undefined {
  const { name, program, words } = command;
  // Another program of that name could print something else.
  if (spelling.includes("/")) return undefined;
  const kept = filtered(command);
  if (kept !== undefined) return kept;
  if (name === "echo" || name === "printf") {
    return spelledNumbers(name, words) ? NUMBERS : undefined;
  }
  if (program.prints === undefined) return undefined;
  const text = lineOf(words);
  const rule = Object.entries(program.prints).find(([when]) => pattern(when).test(text));
  return rule && columns(rule[1]);
}

const FORMAT = /^(?=.*[%\d])(?!.*\.\.)(?!:)(?:%[-0#']*\d*(?:[diu]|(?:\.\d+)?f)|[\d:. ,]|\\n)+$/;

function spelledNumbers(name: string, words: Words): boolean {
  if (name === "echo") {
    return words.length > 0 &&
      words.every((word, at) => isNumber(word) || (at === 0 && word === "-n"));
  }
  const [format = "", ...values] = words;
  return FORMAT.test(plainText(format)) ||
    (/^%s(?:\\n)?$/.test(plainText(format)) && values.length > 0 && values.every(isNumber));
}
