import type { CommandExpansionPart, ParsedScript, Word } from "unbash";
import type { Input } from "../../program/code.ts";
import { type Inspection, linesOfCommand } from "../../program/inspect.ts";
import {
  joinedLines,
  kindOf,
  type Lines,
  linesIn,
  NOTHING,
  wholeLine,
} from "../../program/output/output-lines.ts";
import type { Started } from "../../program/starts.ts";
import { NUMBER, PART, TEMPORARY, UNKNOWN, UNKNOWN_WORDS } from "../../words/placeholders.ts";
import { isPattern, knownText, plainText, type Words } from "../../words/word-marks.ts";
import type { Context } from "../findings.ts";
import { printsDirectory } from "../changed-directory.ts";
import { DIRECT } from "./streams.ts";
import { onlyPart } from "../../words/only-part.ts";
import { textPrinted } from "./text-printed.ts";
import type { Reading, Walker } from "../walker.ts";

/** What prints none of its arguments. */
const SILENT = /^(?::|true|false|exit|return|test|\[|shift|sleep|wait|break|continue)$/;

/** What prints files, or a database of this machine. */
const STORED =
  /^(?:(?:(?:z|bz|xz|zstd)?cat|g(?:un)?zip -d?c|(?:un)?xz -d?c)(?: -[a-zA-Z]+)*|(?:head|tail)(?: -n ?\d+| -\d+)?)(?: (?!-|\S*\/(?:dev|proc)\/|\d+(?: |$))\S+)+$|^(?:pg_dump(?: (?!-h|--)(?!\S*:\/\/)\S+| -h localhost)+|sqlite3 \S+ \.dump(?: \w+)*)$/;

/** Note what a command prints, where that is looked at. */
export function notePrinted(reading: Reading, words: Words, inspection: Inspection): void {
  const { context } = reading.walk;
  const { output } = context;
  if (output === undefined) return;
  const lines = linesReaching(reading, words, inspection);
  // What a loop repeats is printed more than once.
  const isRepeated = lines !== undefined && context.loops > output.loops;
  const repeated = isRepeated ? linesIn(lines) : lines;
  output.lines = joinedLines(
    output.lines,
    isRepeated ? joinedLines(repeated, repeated) : repeated,
  );
}

/** Note that nothing is known any more of what is printed. */
export function forgetPrinted({ output }: Context): void {
  if (output !== undefined) output.lines = undefined;
}

function linesReaching(
  reading: Reading,
  words: Words,
  inspection: Inspection,
): Lines | undefined {
  const { streams = DIRECT } = reading;
  if (streams === null || streams.errors) return undefined;
  const [name = ":", ...rest] = words;
  // What it redirects are the streams of what follows.
  if (inspection.name === "exec") return undefined;
  if (!streams.output || SILENT.test(name)) return NOTHING;
  if (name === "cd" && !printsDirectory(reading, rest)) return NOTHING;
  const text = textPrinted(reading, words);
  if (text !== undefined) return text;
  if (STORED.test(words.map((word) => knownText(word) ?? "-").join(" "))) {
    return { fields: [undefined], stored: true };
  }
  const lines = inspection.started.every(printsNames)
    ? linesOfCommand(inspection, name)
    : undefined;
  return lines !== undefined && /^(?:printf|echo)$/.test(name) ? { ...lines, open: true } : lines;
}

/** Whether a command prints some of the names that it is given, and nothing else. */
function printsNames({ words: [name, ...words] }: Started): boolean {
  const short = /^-[A-Za-z]*l[A-Za-z]*$|^--files-with-matches$/;
  return /^[ef]?grep$/.test(plainText(name)) && words.some((word) => short.test(word));
}

/** What is printed while some part of a line is walked. */
export function printedBy(context: Context, walked: () => void): Lines | undefined {
  const { output: outer } = context;
  const own: Context["output"] = { lines: NOTHING, loops: context.loops };
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
  if (!printed?.text) return { from: "pipe", text: null, lines: printed };
  const { fields: [texts = []], open } = printed;
  const [first = null, ...others] = texts.map(knownText);
  const text = others.length > 0 || first === null ? null : open ? first : `${first}\n`;
  return { from: "pipe", text, lines: linesIn(printed) };
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
  return lines?.text || lines?.spelled || kindOf(lines) !== undefined
    ? undefined
    : wholeLine(lines);
}

/** What a command substitution puts into a word. */
export function outputOf(
  { script }: CommandExpansionPart,
  { context, functions }: Pick<Walker, "context" | "functions">,
  inQuotes: boolean,
): string {
  const sure = isSure(script, functions);
  const lines = linesOf(script, context);
  const kind = kindOf(lines);
  if (kind !== undefined && (kind !== TEMPORARY || sure)) return kind;
  const texts = lines?.text && wholeLine(lines);
  if (!texts) return UNKNOWN;
  const [first = "", ...others] = sure ? texts : [...texts, ""];
  // Outside of quotes each of them is split.
  if (others.length > 0 && !inQuotes && [first, ...others].some((each) => /^$|\s/.test(each))) {
    return UNKNOWN_WORDS;
  }
  return others.length === 0 && !isPattern(first)
    ? first
    : context.choices.placeholder([first, ...others]);
}

/** Whether all of a script is run: another one, or a function, can end early or leave a part out. */
function isSure(script: ParsedScript | undefined, functions: Walker["functions"]): boolean {
  const [statement, ...others] = script?.commands ?? [];
  const command = statement?.command;
  return others.length === 0 && command?.type === "Command" &&
    !functions.has(command.name?.value ?? "") &&
    ![...command.prefix, ...command.suffix].some((part) =>
      !/^(?:Word|HereDoc|HereString)$/.test(part.type)
    );
}
