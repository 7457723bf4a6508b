import { isUnknown, plainText } from "../words/word-marks.ts";
import { names, remembered } from "./remembered.ts";

/** Whether an option stands alone, takes the next word or two, or takes only what is glued to it. */
type Arity = "none" | "value" | "pair" | "glued";

const ARITIES: Readonly<Record<string, Arity>> = { ":": "value", "::": "pair", "?": "glued" };

/** The options of one program. */
export interface OptionSpec {
  readonly options: ReadonlyMap<string, { readonly name: string; readonly arity: Arity }>;
  readonly longs: readonly string[];
}

/** An option as it was given. */
export interface GivenOption {
  /** The name the program's table leads with, without dashes. */
  readonly name: string;
  readonly value?: string;
  /** The word that gave it. */
  readonly word: string;
  /** It is not in the table. */
  readonly unknown?: true;
}

/** The words of a command: options, their values and operands, all of them marked. */
export interface ParsedOptions {
  readonly options: readonly GivenOption[];
  readonly operands: readonly string[];
  /** Some option is not in the table, so the rest may be misread. */
  readonly unknown: boolean;
  /** Where the operands begin, if the first operand ends the options. */
  readonly rest: number;
}

/**
 * Read the table of a program's options.
 *
 * @param table Names separated by blanks; synonyms by commas, the leading one first; `:` takes a value, `::` two, `?` a glued one.
 */
export const optionSpec: (table: string) => OptionSpec = remembered((table) => {
  const known = new Map<string, { name: string; arity: Arity }>();
  for (const entry of names(table)) {
    if (entry === "") continue;
    const [, all = "", mark = ""] = /^(.*?)(::|:|\?|)$/.exec(entry) ?? [];
    const arity = ARITIES[mark] ?? "none";
    const synonyms = all.split(",");
    for (const name of synonyms) known.set(name, { name: synonyms[0] ?? name, arity });
  }
  return { options: known, longs: [...known.keys()].filter((name) => name.length > 1) };
});

/** How to read options. */
interface ParseOptions {
  /** Absent: every word with a dash is an option, and none takes the next word. */
  readonly spec?: OptionSpec | undefined;
  /** The first operand ends the options, as for programs that start another one. */
  readonly strict?: boolean;
}

/** Read words as GNU programs do: clusters, glued values, abbreviations. */
export function parseOptions(
  words: readonly string[],
  { spec, strict = false }: ParseOptions,
): ParsedOptions {
  const given: GivenOption[] = [];
  const operands: string[] = [];
  let unknown = false;
  let at = 0;
  const take = (name: string, arity: Arity, glued: string | undefined, word: string) => {
    if (arity === "pair") at++;
    const next = arity === "value" || arity === "pair" ? words[at] : undefined;
    const value = glued ?? next;
    if (glued === undefined && next !== undefined) at++;
    given.push({ name, word, ...(value !== undefined && { value }) });
  };
  const missing = (all: readonly string[], word: string, value?: string) => {
    if (spec !== undefined) unknown = true;
    for (const name of all) {
      given.push({ name, word, unknown: true, ...(value !== undefined && { value }) });
    }
  };
  for (; at < words.length;) {
    const word = words[at] ?? "";
    const text = plainText(word);
    if (text === "--") {
      at++;
      break;
    }
    if (!text.startsWith("-") || text === "-") {
      if (strict) break;
      operands.push(word);
      at++;
      continue;
    }
    at++;
    if (text.startsWith("--")) {
      const equals = word.indexOf("=");
      const name = plainText(equals === -1 ? word : word.slice(0, equals)).slice(2);
      const value = equals === -1 ? undefined : word.slice(equals + 1);
      const found = spec === undefined ? undefined : findLong(name, spec);
      if (found === undefined || isUnknown(name)) missing([name], word, value);
      else take(found.name, found.arity, value, word);
      continue;
    }
    if (isUnknown(word[1] ?? "")) unknown = true;
    if (spec === undefined) {
      const name = text.slice(1).split("=")[0] ?? "";
      missing(name.length > 1 ? [name, ...name] : [name], word);
      continue;
    }
    const whole = spec.options.get(text.slice(1));
    if (whole !== undefined && text.length > 2) {
      take(whole.name, whole.arity, undefined, word);
      continue;
    }
    for (let index = 1; index < word.length; index++) {
      const found = spec.options.get(plainText(word[index] ?? ""));
      if (found === undefined) {
        missing([plainText(word[index] ?? "")], word);
        continue;
      }
      const glued = word.slice(index + 1);
      if (found.arity === "none") {
        given.push({ name: found.name, word });
        continue;
      }
      take(found.name, found.arity, glued === "" ? undefined : glued.replace(/^=/, ""), word);
      break;
    }
  }
  const rest = at;
  operands.push(...words.slice(at));
  return { options: given, operands, unknown, rest };
}

/** GNU programs take every beginning of a long option that no other one shares. */
export function findLong(
  name: string,
  spec: OptionSpec,
): { name: string; arity: Arity } | undefined {
  const exact = name.length > 1 ? spec.options.get(name) : undefined;
  if (exact !== undefined) return exact;
  const fitting = spec.longs.filter((long) => long.startsWith(name))
    .map((long) => spec.options.get(long));
  const [first, ...others] = fitting;
  if (first === undefined || others.some((other) => other?.name !== first.name)) return undefined;
  return first;
}

/**
 * The options given under one of some names, separated by blanks; beginnings of at least two letters
 * count, and a long name that is known only at run time can be any.
 */
export function givenAs({ options }: ParsedOptions, list = ""): readonly GivenOption[] {
  if (options.length === 0 || list === "") return [];
  const wanted = names(list);
  return options.filter(({ name, word, unknown }) =>
    wanted.includes(name) || /^--[\ue1fe\ue1ff]/.test(word) ||
    (unknown && name.length > 1 && plainText(word).startsWith("--") &&
      wanted.some((each) => each.startsWith(name)))
  );
}
