import type { CommandExpansionPart, ParsedScript, Word } from "unbash";
import type { Input } from "../program/code.ts";
import { type Inspection, linesOfCommand } from "../program/inspect.ts";
import {
  joinedLines,
  kindOf,
  type Lines,
  NOTHING,
  wholeLine,
} from "../program/output/output-lines.ts";
import type { Started } from "../program/starts.ts";
import { NUMBER, PART, UNKNOWN } from "../words/placeholders.ts";
import { isPattern, knownText, plainText, type Words } from "../words/word-marks.ts";
import type { Context } from "./findings.ts";
import { printsDirectory } from "./changed-directory.ts";
import { DIRECT } from "./streams.ts";
import { onlyPart } from "../words/only-part.ts";
import { textPrinted } from "./values/text-printed.ts";
import type { Reading } from "./walker.ts";

/** What prints none of its arguments. */
const SILENT = /^(?::|true|false|exit|return|test|\[|shift|sleep|wait|break|continue)$/;

/** What prints files, or a database of this machine. */
const STORED =
  /^(?:(?:(?:z|bz|xz|zstd)?cat|g(?:un)?zip -d?c|(?:un)?xz -d?c)(?: -[a-zA-Z]+)*|(?:head|tail)(?: -n ?\d+| -\d+)?)(?: (?!-|\/(?:dev|proc)\/|\d+(?: |$))\S+)+$|^(?:pg_dump(?: (?!-h|--)(?!\S*:\/\/)\S+| -h localhost)+|sqlite3 \S+ \.dump(?: \w+)*)$/;

/** Note what a command prints, where that is looked at. */
export function notePrinted(reading: Reading, words: Words, inspection: Inspection): void {
  const { output } = reading.walk.context;
  if (output === undefined) return;
  output.lines = joinedLines(output.lines, linesReaching(reading, words, inspection));
}

function linesReaching(
  reading: Reading,
  words: Words,
  inspection: Inspection,
): Lines | undefined {
  const { streams = DIRECT } = reading;
  if (streams === null || streams.errors) return undefined;
  const [name = ":", ...rest] = words;
  if (!streams.output || SILENT.test(name)) return NOTHING;
  if (name === "cd" && !printsDirectory(reading, rest)) return NOTHING;
  const text = textPrinted(reading, words);
  if (text !== undefined) return text;
  if (STORED.test(words.map((word) => knownText(word) ?? "-").join(" "))) {
    return { fields: [undefined], stored: true };
  }
  return inspection.started.every(printsNames) ? linesOfCommand(inspection, name) : undefined;
}

/** Whether a command prints some of the names that it is given, and nothing else. */
function printsNames({ words: [name, ...words] }: Started): boolean {
  const short = /^-[A-Za-z]*l[A-Za-z]*$|^--files-with-matches$/;
  return /^[ef]?grep$/.test(plainText(name)) && words.some((word) => short.test(word));
}

/** What is printed while some part of a line is walked. */
export function printedBy(context: Context, walked: () => void): Lines | undefined {
  const { output: outer } = context;
  const own: Context["output"] = { lines: NOTHING };
  context.output = own;
  walked();
  context.output = outer;
  return own.lines;
}

/** What a substitution prints, as it was walked last. */
export function linesOf(script: ParsedScript | undefined, context: Context): Lines | undefined {
  const lines = script && context.outputs.get(script);
  if (lines === undefined || !context.distrusts) return lines;
  // Names stay names, whatever they hold.
  return { ...lines, fields: lines.fields.map((field) => field?.some(isKind) ? undefined : field) };
}

const KINDS = new RegExp(`[${NUMBER}${PART}]`);

function isKind(text: string): boolean {
  return KINDS.test(text);
}

/** The input of a command that reads an output through a pipe. */
export function inputFrom(printed: Lines | undefined): Input {
  if (printed?.stored) return { from: "pipe", text: null, stored: true };
  if (printed?.text === undefined) return { from: "pipe", text: null, lines: printed };
  const { fields: [texts = []], text: end } = printed;
  const [first = null, ...others] = texts.map(knownText);
  const text = others.length > 0 || first === null ? null : end === "open" ? first : `${first}\n`;
  // Blanks, quotes and backslashes mean more to what reads names line by line.
  const isPlain = !texts.some((each) => /[\s"'\\]/.test(each));
  return { from: "pipe", text, ...(isPlain && { lines: { fields: [texts] } }) };
}

/** What a word such as `$(ls *.ts)` prints. */
export function linesOfWord(word: Word, context: Context): Lines | undefined {
  const { part } = onlyPart(word);
  return part?.type === "CommandExpansion" || part?.type === "ProcessSubstitution"
    ? linesOf(part.script, context)
    : undefined;
}

/** The names that it prints, where each line is one. */
export function printedNames(word: Word, context: Context): Words | undefined {
  const lines = linesOfWord(word, context);
  return lines?.text !== undefined || kindOf(lines) !== undefined ? undefined : wholeLine(lines);
}

/** What a command substitution puts into a word. */
export function outputOf({ script }: CommandExpansionPart, context: Context): string {
  const lines = linesOf(script, context);
  const [first = UNKNOWN, ...others] = lines?.text && wholeLine(lines) || [];
  return kindOf(lines) ??
    (others.length === 0 && !isPattern(first)
      ? first
      : context.choices.placeholder([first, ...others]));
}
