import { linesOfCommand } from "../../program/inspect.ts";
import { wholeLine } from "../../program/output/output-lines.ts";
import { givenAs, parseOptions, valuesOf } from "../../program/parse-options.ts";
import type { FoundProgram } from "../../program/programs.ts";
import { MOST_READINGS } from "../../program/starts.ts";
import type { Inspection } from "../../program/taken-apart.ts";
import { GIVEN, NUMBER, PARTS, UNKNOWN, UNKNOWN_WORDS } from "../../words/placeholders.ts";
import { plainText, quoted, type Words } from "../../words/word-marks.ts";
import type { Reading } from "../walker.ts";

/** What a command puts into those that it starts. */
export interface WordsGiven {
  /** What one of the words can be; absent: known only at run time. */
  readonly found: Words | undefined;
  /** The words that a program gets, for each time that it is started. */
  sets(program: string | undefined): readonly Words[];
}

/** A placeholder for text that is no option, whatever it is. */
const PLAIN_PART = new RegExp(`^[${NUMBER}${PARTS}]$`);
/** A given text in a name that begins with a dot: what it is decides which. */
const HIDDEN_PART = new RegExp(`(?:^|/)\\.[^/${GIVEN}]*${GIVEN}`);

/** @param before What one of the words can be that the command itself was given. */
export function wordsGiven(
  { walk: { context: { choices, programs } }, input }: Reading,
  words: Words,
  { inspection, before }: { readonly inspection: Inspection; readonly before: Words | undefined },
): WordsGiven {
  const xargs = inspection.name === "xargs" ? programs.find(words) : undefined;
  const isFed = readsInput(xargs);
  const lines = wholeLine(linesOfCommand(inspection, words[0] ?? "")) ??
    (isFed ? wholeLine(input.lines) : undefined);
  const found = lines?.flatMap((each) => choices.expand(each)) ??
    // What `xargs` hands on comes from its input or its list, whatever it was started with.
    (xargs === undefined ? before : undefined);
  const spelled = isFed && !input.shared ? setsOf(input.text, xargs) : undefined;
  if (spelled !== undefined) return { found, sets: () => spelled };
  if (found === undefined) return { found, sets: () => [[UNKNOWN_WORDS]] };
  const [first = "", ...others] = found;
  const isPart = others.length === 0 && PLAIN_PART.test(first);
  const one = isPart ? first : choices.placeholder(found);
  // Without any names it is started once, too.
  const canBeNone = isFed && !words.some((word) => /^(?:-\w*[rI]|--no-run)/.test(word));
  // In a text for a shell every number is as good as another.
  const inShell = () =>
    one === NUMBER ? "1" : canBeNone ? choices.placeholder([...found, ""]) : one;
  return { found, sets: (program = "") => [[/sh$/.test(program) ? inShell() : one]] };
}

/** The words of a command that is started, with those that it is given. */
export function withGiven(words: Words, given: Words): Words {
  const [one = UNKNOWN, ...others] = given;
  const inside = others.length > 0 || one === UNKNOWN_WORDS ? UNKNOWN : one;
  return words.flatMap((word) =>
    word === GIVEN ? given : word.replaceAll(GIVEN, HIDDEN_PART.test(word) ? UNKNOWN : inside)
  );
}

/** Whether `xargs` takes whole names from its input, and not from a file that `-a` names. */
function readsInput(found: FoundProgram | undefined): boolean {
  if (found === undefined) return false;
  const parsed = parseOptions(found.words, { spec: found.spec, strict: true });
  return givenAs(parsed, "a").length === 0 &&
    valuesOf(parsed, "d").every((each) => /^(?:\\n|\n)$/.test(plainText(each)));
}

/** The words that `xargs` reads, by the commands it starts, where the line tells them. */
function setsOf(
  text: string | null | undefined,
  found: FoundProgram | undefined,
): readonly Words[] | undefined {
  if (typeof text !== "string" || found === undefined) return undefined;
  const parsed = parseOptions(found.words, { spec: found.spec, strict: true });
  if (parsed.unknown || givenAs(parsed, "E e eof L l max-lines s").length > 0) return undefined;
  const isZero = givenAs(parsed, "0").length > 0;
  if (UNCLEAR.test(isZero ? text.replaceAll("\0", "") : text)) return undefined;
  const lines = givenAs(parsed, "I i J R").length > 0;
  const [most] = givenAs(parsed, "n");
  // Of both the last one holds.
  if (lines && most !== undefined) return undefined;
  const isWhole = isZero || givenAs(parsed, "d").length > 0;
  const one = isZero ? /[^\0]+/g : isWhole ? /[^\n]+/g : lines ? LINE : WORD;
  const words = (text.match(one) ?? []).map((word) => quoted(isWhole ? word : unquoted(word)));
  const size = lines ? 1 : most === undefined ? words.length : Number(most.value);
  const sets = words.flatMap((_, at) => at % size === 0 ? [words.slice(at, at + size)] : []);
  // How names with quotes are meant is not certain.
  if (!isWhole && /['"\\]/.test(text)) sets.push([UNKNOWN_WORDS]);
  // Without words it starts its command once.
  return size > 0 && sets.length > 0 && sets.length <= MOST_READINGS ? sets : undefined;
}

/** Control characters, and placeholders for what is not known. */
const UNCLEAR = /[^\P{Cc}\t\n]|[\ue000-\uf8ff]/u;
/** A word as `xargs` reads it, and a line of words where it takes lines. */
const WORD = /(?:'[^'\n]*'|"[^"\n]*"|\\[^]|[^ \t\n\\])+/g;
const LINE = /(?:'[^'\n]*'|"[^"\n]*"|\\[^]|[^ \t\n\\])(?:'[^'\n]*'|"[^"\n]*"|\\[^]|[^\n\\])*/g;

function unquoted(word: string): string {
  return word.replace(/'([^'\n]*)'|"([^"\n]*)"|\\([^])/g, "$1$2$3");
}
