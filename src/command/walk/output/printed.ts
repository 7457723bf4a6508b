import type { CommandExpansionPart, ParsedScript, Word } from "unbash";
import type { Input } from "../../program/code.ts";
import { linesOfCommand } from "../../program/inspect.ts";
import type { Inspection } from "../../program/taken-apart.ts";
import {
  eitherLines,
  isNothing,
  joinedLines,
  kindOf,
  type Lines,
  linesIn,
  NEVER,
  NOTHING,
  someOf,
  wholeLine,
} from "../../program/output/output-lines.ts";
import type { Started } from "../../program/starts.ts";
import {
  JSON_VALUE,
  NUMBER,
  PARTS,
  TEMPORARY,
  UNKNOWN,
  UNKNOWN_WORDS,
} from "../../words/placeholders.ts";
import {
  isPattern,
  isUnknown,
  knownText,
  lineOf,
  mayBeOption,
  plainText,
  type Words,
} from "../../words/word-marks.ts";
import type { Context } from "../findings.ts";
import { printsDirectory } from "../changed-directory.ts";
import { DIRECT } from "./streams.ts";
import { onlyPart } from "../../words/only-part.ts";
import { partsOfName, textPrinted } from "./text-printed.ts";
import { versionPrinted } from "./versions.ts";
import type { After, State } from "../walk-state.ts";
import type { Reading, Walker } from "../walker.ts";

/** What prints none of its arguments. */
const SILENT =
  /^(?:$|(?::|true|false|exit|return|test|\[|shift|sleep|wait|break|continue)(?: |$)|(?:local|declare|readonly|export)(?: [A-Za-z_]\w*(?:=[^ ]*)?)+$|(?:mkdir(?: -p)?|touch)(?: [^ -][^ ]*)+$|[ef]?grep (?:-[EFGPisvwx]+ )*-[EFGPisvwx]*q[EFGPisvwx]*(?: (?!-)[^ ]+)+$)/;

/** What prints files, or a database of this machine. */
const STORED =
  /^(?:(?:(?:z|bz|xz|zstd)?cat|g(?:un)?zip -d?c|(?:un)?xz -d?c)(?: -[a-zA-Z]+)*|(?:head|tail)(?: -n ?\d+| -\d+)?)(?: (?!-|\S*\/(?:dev|proc)\/|\d+(?: |$))\S+)+$|^(?:pg_dump(?: (?!-h|--)(?!\S*(?::\/\/|=))\S+| -h localhost)+|sqlite3 \S+ \.dump(?: \w+)*)$/;

/** The same ends of a command, with what it has printed, where that is looked at. */
export function withPrinted(reading: Reading, words: Words, inspection: Inspection): After {
  const { after, state: { printed } } = reading;
  if (printed === undefined) return after;
  const lines = linesReaching(reading, words, inspection);
  const all = joinedLines(printed, lines);
  if (all === printed) return after;
  // What is known as a whole is printed as a whole, or not at all. A line that hides errors expects them.
  const isTrusted = !/^(?:command|which)$/.test(words[0] ?? "") &&
    !reading.redirects.some(({ operator }) => operator.includes(">"));
  const none = isNothing(printed) && isTrusted ? FAILED : printed;
  const prints = lines?.texts && !isNothing(lines);
  const failed = prints ? NEVER_FAILS.test(words.join(" ")) ? NEVER : none : all;
  return { ok: { ...after.ok, printed: all }, fail: { ...after.fail, printed: failed } };
}

/** What prints all that it is given into a pipe that is read to its end. */
const NEVER_FAILS = /^(?:(?:echo|printf) |(?:echo|pwd)$)/;
/** A program has failed that is taken for one that does not. */
const FAILED: Lines = { ...NEVER, failed: true };

/** Note that the process can end in a state. */
export function noteEarly(context: Context, { printed }: State): void {
  context.early = eitherLines(context.early, joinedLines(printed, NOTHING));
}

/** Walk a process of its own: of it, what is printed matters to what follows. */
export function printedBy(context: Context, state: State, walked: () => After): After {
  const { early: outer } = context;
  context.early = joinedLines(state.printed, context.leastPrinted);
  const { ok, fail } = walked();
  const { early } = context;
  context.early = outer;
  const after = (end: State): State => {
    const printed = end.ended ? early : eitherLines(early, end.printed);
    return printed === state.printed ? state : { ...state, printed };
  };
  const success = after(ok);
  return { ok: success, fail: fail === ok ? success : after(fail) };
}

function linesReaching(
  reading: Reading,
  words: Words,
  inspection: Inspection,
): Lines | undefined {
  const { streams = DIRECT } = reading;
  if (streams === null || streams.errors) return undefined;
  // It can print a file, as `$(< f)` does.
  if (words.length === 0 && reading.redirects.length > 0) return undefined;
  const [name = "", ...rest] = words;
  // What it redirects are the streams of what follows.
  if (inspection.name === "exec") return undefined;
  const spelled = words.map((word) => knownText(word) ?? "-").join(" ");
  const isSilent = SILENT.test(spelled) ||
    (!words.some(mayBeOption) && SILENT.test(lineOf(words)));
  if (!streams.output || isSilent) return NOTHING;
  if (name === "cd" && !printsDirectory(reading, rest)) return NOTHING;
  const text = textPrinted(reading, words) ?? versionPrinted(reading.walk, spelled, reading.state);
  if (text !== undefined) return text;
  const held = namesHeld(reading, words);
  if (held !== undefined) return { fields: [held] };
  if (STORED.test(spelled)) return { fields: [undefined], stored: true };
  if (DIRECTORIES.test(spelled)) {
    const own = words.slice(1).map((word) => word === "%h\\n" ? "%p\\n" : word);
    const command = inspection.command && { ...inspection.command, words: own };
    const found = command && linesOfCommand({ ...inspection, command }, name);
    const all = wholeLine(name === "find" ? found : reading.input.lines);
    const dirs = partsOfName(/\bbasename$/.test(spelled) ? "basename" : "dirname", [all ?? []]);
    if (dirs?.some((each) => each.startsWith("-"))) {
      reading.walk.doubt("a name that is an option", reading.node);
    }
    return dirs && { fields: [dirs] };
  }
  if (CHOOSES.test(spelled)) return someOf(reading.input.lines);
  const lines = inspection.started.every(printsNames)
    ? linesOfCommand(inspection, name)
    : undefined;
  if (name === "mktemp" && kindOf(lines) === TEMPORARY) {
    return { fields: [], texts: [`${TEMPORARY}\n`] };
  }
  return lines !== undefined && /^(?:printf|echo|tr|jq|awk)$/.test(name)
    ? { ...lines, open: true }
    : lines;
}

/** The names, one in each line, that a variable holds whose value alone is printed. */
function namesHeld({ walk }: Reading, [name = "", ...words]: Words): Words | undefined {
  const [word = "", ...others] = name === "printf" && /^%s(?:\\n)?$/.test(plainText(words[0]))
    ? words.slice(1)
    : name === "echo"
    ? words
    : [];
  return others.length > 0 ? undefined : namesIn(word, walk.context);
}

/** The names that the value of a variable has, one in each line, where it holds what was found or a part of a path. */
export function namesIn(word: string, { choices }: Context): Words | undefined {
  const values = choices.expand(word).filter((value) => value !== "");
  const areNames = values.length > 0 && word.length === 1 &&
    values.every((value) => isPattern(value) && !isUnknown(value) && !/^-|[\s"'\\]/.test(value));
  return areNames || areKinds(values) ? values : undefined;
}

/** Whether texts are numbers or parts of names, or what stands in place of them. */
function areKinds(texts: Words): boolean {
  return texts.some((text) => KINDS.test(text)) && texts.every((text) => KIND_OR_TEXT.test(text));
}

/** What prints some of the names that it is given. */
const CHOOSES =
  /^xargs(?: -(?:r|0|[nP] ?\d+|d \\n))* [ef]?grep (?:-[EFHPirsvw]+ )*-[EFHPirsvw]*[lL][EFHPirsvw]* (?!-)\S+$/;

/** What prints the directories of the names that it finds, or is given, or their last parts. */
const DIRECTORIES =
  /^(?:xargs(?: -(?:r|0|n ?1))* dirname|xargs(?: -[r0])* -n ?1 basename|find (?!.* -(?:f?print(?!f %h\\n$)|f?ls|ok|exec.* -(?:exec|print))).* (?:-exec dirname \{\} [;+]|-printf %h\\n))$/;

/** Whether a command prints some of the names that it is given, and nothing else. */
function printsNames({ words: [name, ...words] }: Started): boolean {
  const short = /^-[A-Za-z]*l[A-Za-z]*$|^--files-with-matches$/;
  return /^[ef]?grep$/.test(plainText(name)) && words.some((word) => short.test(word));
}

/** What a substitution prints, as it was walked last. */
export function linesOf(
  script: ParsedScript | undefined,
  context: Context,
): Lines | undefined {
  const end = script && context.outputs.get(script);
  const lines = end && eitherLines(end.ok.printed, end.fail.printed);
  if (lines === undefined || !context.distrusts) return lines;
  const isKind = (text: string) => KINDS.test(text);
  if (lines.texts) return lines.texts.some(isKind) ? undefined : lines;
  // Names stay names, whatever they hold.
  return { ...lines, fields: lines.fields.map((field) => field?.some(isKind) ? undefined : field) };
}

const KINDS = new RegExp(`[${NUMBER}${PARTS}]`);

/** The input of a command that reads an output through a pipe. */
export function inputFrom(printed: Lines | undefined): Input {
  if (printed?.stored) return { from: "pipe", text: null, stored: true };
  if (!printed?.texts) return { from: "pipe", text: null, lines: printed };
  const [text = null, ...others] = printed.texts.filter((each) => each !== "").map(knownText);
  return { from: "pipe", text: others.length > 0 ? null : text, lines: linesIn(printed) };
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
  return lines?.spelled || kindOf(lines) !== undefined ? undefined : wholeLine(lines);
}

/** A name that was found, or a number or a part of a name, or what `|| echo 0` prints in place of it. */
function nameOrText(lines: Lines | undefined, { choices }: Context): string | undefined {
  const each = wholeLine(lines) ?? [];
  const areNames = each.some(isPattern) && !lines?.spelled &&
    each.every((text) => !isUnknown(text) && !/["'\\\s]/.test(text));
  return areNames || areKinds(each) ? choices.placeholder([...each, ""]) : undefined;
}

const KIND_OR_TEXT = new RegExp(`^(?:[${NUMBER}${PARTS}]|\\w[\\w.-]*)$`);

/** What a command substitution puts into a word. */
export function outputOf(
  { script }: CommandExpansionPart,
  { context }: Pick<Walker, "context">,
  inQuotes: boolean,
): string {
  const lines = linesOf(script, context);
  if (lines?.json && inQuotes) return JSON_VALUE;
  if (!lines?.texts) {
    const kind = kindOf(lines) ?? nameOrText(lines, context) ?? UNKNOWN;
    return kind === TEMPORARY ? UNKNOWN : kind;
  }
  const texts = [...new Set(lines.texts.map((text) => text.replace(/\n+$/, "")))];
  const [first, ...others] = texts;
  if (first === undefined) return UNKNOWN;
  // Outside of quotes each of them is split.
  if (others.length > 0 && !inQuotes && texts.some((each) => /^$|\s/.test(each))) {
    return UNKNOWN_WORDS;
  }
  return others.length === 0 && !isPattern(first) ? first : context.choices.placeholder(texts);
}
