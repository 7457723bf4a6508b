import type { Danger } from "../../event/analysis.ts";
import { ARRAY, NUMBER, SEVERAL, TEMPORARY, UNQUOTED } from "../words/placeholders.ts";
import {
  IN_WORD,
  isNumber,
  isUnknown,
  lineOf,
  plainText,
  type Words,
} from "../words/word-marks.ts";
import { STARTS_PROGRAMS } from "./code.ts";
import { givenAs, valuesOf } from "./parse-options.ts";
import type { DangerRule } from "./program-record.ts";
import { LINE_DANGERS } from "./records/lines.ts";
import { anyCase, names, pattern, remembered } from "./remembered.ts";
import type { Command } from "./taken-apart.ts";

/** How many operands a command has: what `env` sets is none, nor is an option such as `+x`. */
function operandsOf({ program, parsed: { operands } }: Command): number {
  const other = program.starts?.assignments ? /^\w+=/ : /^\+[A-Za-z]/;
  return operands.filter((word) => !other.test(word)).length;
}

function getsUnknownInput({ input: { from, text } }: Command): boolean {
  return from !== undefined && typeof text !== "string";
}

/** The words of a command in front of `--`. */
function optionsOf({ words }: Command): string {
  const end = words.indexOf("--");
  return lineOf(words.slice(0, end < 0 ? undefined : end));
}

/** The danger by a rule, with the words that make it one; `undefined` where it is none. */
export function dangerBy(rule: DangerRule, command: Command): Danger | undefined {
  const { parsed, parsed: { operands, unknown } } = command;
  const { name, reason, options, values = "", verbs, unless, words, operandsAlone, most } = rule;
  const { without, lines, code, first } = rule;
  if (isExcept(rule, command)) return undefined;
  if (most !== undefined && operandsOf(command) > most) return undefined;
  if (without !== undefined && pattern(without).test(optionsOf(command))) return undefined;
  const reading = command.verbs.find((each) => verbs !== undefined && hasVerbs(each, verbs));
  if (verbs !== undefined && reading === undefined) return undefined;
  if (unless !== undefined && !unknown && hasVerbs(operands, unless)) return undefined;
  if (code && !command.words.some((word) => isCode(word) || (isUnknown(word) && !isNumber(word)))) {
    return undefined;
  }
  if (rule.input && !getsUnknownInput(command)) return undefined;
  if (lines !== undefined) {
    const found = fittingLine(lines, command);
    return found && { name, reason, words: found };
  }
  const given = givenAs(parsed, options)
    .filter(({ value }) => pattern(values).test(plainText(value)));
  if (options !== undefined && given.length === 0) return undefined;
  if (first !== undefined && !pattern(first).test(plainText(operands[0]))) return undefined;
  const verb = reading?.slice(0, verbCount(reading, verbs ?? "")) ?? [];
  const named = first === undefined ? [] : operands.slice(0, 1);
  const spelled = [
    command.name,
    ...[...verb, ...named, ...given.map(({ word }) => word)].map(plainText),
  ];
  if (words === undefined) return { name, reason, words: spelled };
  // What it starts has dangers of its own.
  const end = command.strict && !unknown ? parsed.rest + 1 : undefined;
  const all = operandsAlone
    ? operands
    : [...parsed.options.flatMap(({ value }) => value ?? []), ...command.words.slice(0, end)];
  const text = command.program.escape !== undefined && command.input.text
    ? [command.input.text]
    : [];
  const plain = all.map(plainText);
  // Code of a client of a database can be glued to its option.
  const glued = command.program.escape === undefined
    ? []
    : plain.flatMap((word) => /^-[A-Za-z]*?[ce]([^]+)/.exec(word)?.[1] ?? []);
  const fitting = [...text, ...plain, ...glued].find((word) => anyCase(words).test(word));
  return fitting === undefined ? undefined : { name, reason, words: [...spelled, fitting] };
}

/** The words that fit one of some lines. */
function fittingLine(lines: Words, { name, words }: Command): Words | undefined {
  const line = lineOf([name, ...words]);
  const [found] = lines.flatMap((each) => whole(each).exec(line)?.[0] ?? []);
  return found?.split(" ").map((word) => word.replaceAll(IN_WORD, " "));
}

const whole = remembered((line: string) => {
  const [first = "", ...parts] = line.replaceAll(" -…", "(?: -\\S+)*?").split(" … ");
  // Where a part is found first is where it is looked for the next one, so that this takes no long time.
  const found = parts.map((part, at) => `(?=(?<p${at}>(?: \\S+)*? ${part}(?= |$)))\\k<p${at}>`);
  return new RegExp(`^${first}(?= |$)${found.join("")}`);
});

/** Whether a word is code that starts programs; an option for code alone is none. */
function isCode(word: string): boolean {
  return STARTS_PROGRAMS.test(plainText(word).replace(/^[\w:-]*eval(?:=|$)/, ""));
}

/** The names that some shared line begins with. */
const SHARED_NAMES = new RegExp(
  `^(?:${LINE_DANGERS.flatMap(({ lines = [] }) => lines.map(firstPart)).join("|")})$`,
);

function firstPart(line: string): string {
  return line.split(" ", 1).join();
}

/** The rules for lines that start with a name, whatever record its program has. */
export function sharedRules(name: string): readonly DangerRule[] {
  return SHARED_NAMES.test(name) ? rulesFor(name) : [];
}

const rulesFor = remembered((name: string) =>
  LINE_DANGERS.flatMap((rule) => {
    const lines = rule.lines?.filter((line) => pattern(`^${firstPart(line)}$`).test(name)) ?? [];
    return lines.length === 0 ? [] : [{ ...rule, lines }];
  })
);

function isExcept(rule: DangerRule, { words, parsed }: Command): boolean {
  const { except, options, exceptOperands = "", startsKnown } = rule;
  // What is sent to this machine may be any text.
  const sent = startsKnown ? valuesOf(parsed, "d") : [];
  const isOther = (word: string) =>
    isUnknown(word) && !isNumber(word) && word !== TEMPORARY &&
    !(startsKnown && KNOWN_START.test(plainText(word).replaceAll(NUMBER, "1"))) &&
    !(sent.includes(word) && !SEVERAL_WORDS.test(word));
  if (except === undefined || parsed.unknown || words.some(isOther)) return false;
  const alone = names(except);
  const needed = options === undefined ? alone.slice(0, 1) : names(options);
  return parsed.options.some(({ name }) => needed.includes(name)) &&
    parsed.options.every(({ name }) => alone.includes(name)) &&
    parsed.operands.every((word) => pattern(exceptOperands).test(plainText(word)));
}

const SEVERAL_WORDS = new RegExp(`[${UNQUOTED}${SEVERAL}]`);

/** What no option and no name of a file begins with; what follows stays one word. */
const KNOWN_START = new RegExp(
  `^(?:[{["]|[A-Za-z][\\w-]*(?:: |=)|(?:https?://)?(?:localhost|127\\.0\\.0\\.1)(?::\\d*)?/)[^${UNQUOTED}${ARRAY}]*$`,
);

const sequences = remembered((verbs) => verbs.split("|"));

/** Whether operands begin with one of some sequences; `*` stands for any word. */
export function hasVerbs(operands: Words, verbs: string): boolean {
  return verbCount(operands, verbs) > 0;
}

/** How many operands spell the sequence that they begin with; 0: none. */
function verbCount(operands: Words, verbs: string): number {
  const found = sequences(verbs).find((sequence) =>
    names(sequence).every((verb, index) =>
      verb === "*" ? operands[index] !== undefined : plainText(operands[index]) === verb
    )
  );
  return found === undefined ? 0 : names(found).length;
}
