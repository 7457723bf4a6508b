import { defined } from "../../value/defined.ts";
import { UNKNOWN, UNQUOTED } from "../words/placeholders.ts";
import { isMany, isUnknown, plainText, type Words } from "../words/word-marks.ts";
import { names, remembered } from "./remembered.ts";

/** Whether an option stands alone, takes the next word or two, or takes only what is glued to it. */
type Arity = "none" | "value" | "pair" | "glued";

const ARITIES: Readonly<Record<string, Arity>> = {
  ":": "value",
  "=": "value",
  "::": "pair",
  "?": "glued",
  "?=": "glued",
};

interface KnownOption {
  readonly name: string;
  readonly arity: Arity;
  /** Its value is text, and no path. */
  readonly text: boolean;
}

/** The options of one program. */
export interface OptionSpec {
  readonly options: ReadonlyMap<string, KnownOption>;
  readonly longs: readonly string[];
  /** Options that are not in the table stand alone. */
  readonly open: boolean;
  /** Those of several letters that may have one dash alone. */
  readonly dashed: ReadonlySet<string>;
}

/** An option as it was given. */
export interface GivenOption {
  /** The name the program's table leads with, without dashes. */
  readonly name: string;
  readonly value?: string;
  /** The word that gave it. */
  readonly word: string;
  /** Its value is text, and no path. */
  readonly text: boolean;
  /** It is not in the table. */
  readonly unknown?: true;
}

/** The words of a command: options, their values and operands, all of them marked. */
export interface ParsedOptions {
  readonly options: readonly GivenOption[];
  readonly operands: Words;
  /** Where each operand stands among the words. */
  readonly places: readonly number[];
  /** Some option is not in the table, so the rest may be misread. */
  readonly unknown: boolean;
  /** An option takes words of which it is not known how many they are. */
  readonly many: boolean;
  /** Where the operands begin, if the first operand ends the options. */
  readonly rest: number;
}

/**
 * Read the table of a program's options.
 *
 * @param table Names separated by blanks; synonyms by commas, the leading one first; `:` takes a value,
 *   `=` one that is text and no path, `::` two, which are text, `?` a glued one, `?=` one that is text; `*`: all others stand alone. Behind a dash stands a name of several letters that may have one dash
 *   alone although its first letter is an option, too; GNU programs have none.
 */
export const optionSpec: (table: string) => OptionSpec = remembered((table) => {
  const known = new Map<string, KnownOption>();
  const dashed = new Set<string>();
  for (const entry of names(table)) {
    const [, all = "", mark = ""] = /^(.*?)(::|:|\?=|=|\?|)$/.exec(entry) ?? [];
    const arity = ARITIES[mark] ?? "none";
    const synonyms = all.split(",").map((each) => each.replace(/^-/, ""));
    for (const name of all.split(",")) if (name.startsWith("-")) dashed.add(name.slice(1));
    for (const name of synonyms) {
      known.set(name, { name: synonyms[0] ?? name, arity, text: /=|::/.test(mark) });
    }
  }
  const longs = [...known.keys()].filter((name) => name.length > 1);
  for (const name of longs) if (!known.has(name[0] ?? "")) dashed.add(name);
  return { options: known, longs, open: known.has("*"), dashed };
});

/** How to read options. */
interface ParseOptions {
  /** Absent: every word with a dash is an option, and none takes the next word. */
  readonly spec?: OptionSpec | undefined;
  /** The first operand ends the options, as for programs that start another one. */
  readonly strict?: boolean;
}

/** Read words as GNU programs do: clusters, glued values, abbreviations. */
export function parseOptions(words: Words, { spec, strict = false }: ParseOptions): ParsedOptions {
  const given: GivenOption[] = [];
  const places: number[] = [];
  let unknown = false;
  let many = false;
  let at = 0;
  const take = (
    { name, arity, text }: KnownOption,
    word: string,
    glued?: string,
    isSure = true,
  ) => {
    if (arity === "pair") at++;
    const next = arity === "value" || arity === "pair" ? words[at] : undefined;
    if (glued === undefined && next !== undefined && (isSure || strict)) at++;
    // What follows the first of several words is no value any more.
    if (isMany(glued ?? next)) many = unknown = true;
    given.push({ name, word, text, ...defined({ value: glued ?? next }) });
  };
  let missedBefore = -1;
  const missing = (name: string, word: string, value?: string) => {
    if (value === undefined) missedBefore = at;
    if (spec?.open === false) unknown = true;
    given.push({ name, word, text: false, unknown: true, ...defined({ value }) });
  };
  while (at < words.length) {
    const word = words[at] ?? "";
    const text = plainText(word);
    const isOperand = !text.startsWith("-") || text === "-";
    if (isOperand && strict) break;
    at++;
    if (text === "--") {
      // It can be the value of an option that is not in the table.
      if (spec === undefined || strict || missedBefore !== at - 1) break;
      continue;
    }
    if (isOperand) {
      places.push(at - 1);
      continue;
    }
    if (text.startsWith("--")) {
      const equals = word.indexOf("=");
      const name = plainText(equals === -1 ? word : word.slice(0, equals)).slice(2);
      const value = equals === -1 ? undefined : word.slice(equals + 1);
      const found = spec === undefined ? undefined : findLong(name, spec);
      if (found === undefined || isUnknown(name)) missing(name, word, value);
      // What looks like a beginning can be a flag that is not in the table: the next word is read, too.
      else take(found, word, value, spec?.options.has(name));
      continue;
    }
    if (isUnknown(word[1])) unknown = true;
    if (spec === undefined) {
      const name = text.slice(1).split("=")[0] ?? "";
      for (const each of name.length > 1 ? [name, ...name] : [name]) missing(each, word);
      continue;
    }
    const whole = spec.dashed.has(text.slice(1)) ? spec.options.get(text.slice(1)) : undefined;
    if (whole !== undefined) {
      take(whole, word);
      continue;
    }
    for (let index = 1; index < word.length; index++) {
      const letter = plainText(word[index]);
      const found = spec.options.get(letter);
      if (found === undefined) missing(letter, word);
      else if (found.arity === "none") take(found, word);
      else {
        const glued = word.slice(index + 1);
        take(found, word, glued === "" ? undefined : glued.replace(/^=/, ""));
        break;
      }
    }
  }
  for (let rest = at; rest < words.length; rest++) places.push(rest);
  const operands = places.map((place) => words[place] ?? "");
  return { options: given, operands, places, unknown, many, rest: at };
}

/** `tar xzf a.tgz`: the first word is a cluster whose values follow in order. */
export function tarWords(words: Words): readonly string[] {
  const [first, ...rest] = words;
  if (first === undefined || !/^[A-Za-z]+$/.test(first)) return words;
  const opened: string[] = [];
  for (const letter of first) {
    opened.push(`-${letter}`);
    if (/[bCfgHIKLNTVXF]/.test(letter)) {
      const value = rest.shift();
      if (value !== undefined) opened.push(value);
    }
  }
  return [...opened, ...rest];
}

/** GNU programs take every beginning of a long option that no other one shares. */
export function findLong(name: string, { options, longs }: OptionSpec): KnownOption | undefined {
  const exact = name.length > 1 ? options.get(name) : undefined;
  if (exact !== undefined) return exact;
  const [first, ...others] = longs.filter((long) => long.startsWith(name))
    .map((long) => options.get(long));
  return others.some((other) => other?.name !== first?.name) ? undefined : first;
}

/**
 * How many operands it takes to be sure of one from some place on: behind an option that is not known can
 * stand its value first.
 */
export function countUntilSure(
  words: Words,
  { options, places }: Pick<ParsedOptions, "options" | "places">,
  from = 0,
): number {
  const unknown = options.filter((option) => option.unknown).map(({ word }) => word);
  const isSure = (place: number) => !unknown.includes(words[place - 1] ?? "");
  const sure = places.findIndex((place, at) => at >= from && isSure(place));
  return sure < 0 ? places.length : sure + 1;
}

/** The values of the options given under one of some names. */
export function valuesOf(parsed: ParsedOptions, list: string | undefined): readonly string[] {
  return givenAs(parsed, list).map(({ value }) => value).filter((value) => value !== undefined);
}

/** Whether an option is given under one of some names. */
export function has(parsed: ParsedOptions, list: string | undefined): boolean {
  return givenAs(parsed, list).length > 0;
}

const UNKNOWN_NAME = new RegExp(`^--[${UNQUOTED}${UNKNOWN}]`);

/**
 * The options given under one of some names, separated by blanks; beginnings of long names count, and
 * one that is known only at run time can be any.
 */
export function givenAs({ options }: ParsedOptions, list = ""): readonly GivenOption[] {
  if (options.length === 0 || list === "") return [];
  const wanted = names(list);
  return options.filter(({ name, word, unknown }) =>
    wanted.includes(name) || UNKNOWN_NAME.test(word) ||
    (unknown && name !== "" && plainText(word).startsWith("--") &&
      wanted.some((each) => each.startsWith(name)))
  );
}
