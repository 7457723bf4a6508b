import { isUnknown, plainText } from "./words/marks.ts";

/** Whether an option stands alone, takes the next word, or takes only what is glued to it. */
type Arity = "none" | "value" | "glued";

/** The options of one program. */
export interface OptionSpec {
  readonly options: ReadonlyMap<string, { readonly name: string; readonly arity: Arity }>;
  readonly longs: readonly string[];
  /** The first operand ends the options. */
  readonly strict: boolean;
}

/** An option as it was given. */
interface GivenOption {
  /** The name the program's table leads with, without dashes. */
  readonly name: string;
  readonly value?: string;
}

/** The words of a command, told apart; all of them marked words. */
export interface ParsedOptions {
  readonly options: readonly GivenOption[];
  readonly operands: readonly string[];
  /** Some option is not in the table, so the rest may be misread. */
  readonly unknown: boolean;
  /** Where the operands begin, if the first operand ends the options. */
  readonly rest: number;
}

/**
 * Write down the options of a program.
 *
 * @param table Names separated by blanks; synonyms by commas, the leading one first; `:` takes a value, `?` a glued one.
 * @param strict The first operand ends the options, as for programs that start another one.
 */
export function options(table: string, strict = false): OptionSpec {
  const known = new Map<string, { name: string; arity: Arity }>();
  for (const entry of table.split(" ")) {
    if (entry === "") continue;
    const arity: Arity = entry.endsWith(":") ? "value" : entry.endsWith("?") ? "glued" : "none";
    const names = (arity === "none" ? entry : entry.slice(0, -1)).split(",");
    for (const name of names) known.set(name, { name: names[0] ?? name, arity });
  }
  return { options: known, longs: [...known.keys()].filter((name) => name.length > 1), strict };
}

/** Tell options, their values and operands apart, as GNU programs do: clusters, glued values, abbreviations. */
export function parseOptions(words: readonly string[], spec: OptionSpec): ParsedOptions {
  const given: GivenOption[] = [];
  const operands: string[] = [];
  let unknown = false;
  let at = 0;
  const take = (name: string, arity: Arity, glued: string | undefined) => {
    if (glued !== undefined) given.push({ name, value: glued });
    else if (arity === "value" && at < words.length) given.push({ name, value: words[at++] ?? "" });
    else given.push({ name });
  };
  while (at < words.length) {
    const word = words[at] ?? "";
    const text = plainText(word);
    if (text === "--") {
      at++;
      break;
    }
    if (!text.startsWith("-") || text === "-") {
      if (spec.strict) break;
      operands.push(word);
      at++;
      continue;
    }
    at++;
    if (text.startsWith("--")) {
      const equals = word.indexOf("=");
      const name = plainText(equals === -1 ? word : word.slice(0, equals)).slice(2);
      const found = findLong(name, spec);
      if (found === undefined || isUnknown(name)) unknown = true;
      else take(found.name, found.arity, equals === -1 ? undefined : word.slice(equals + 1));
      continue;
    }
    if (isUnknown(word[1] ?? "")) unknown = true;
    const whole = spec.options.get(text.slice(1));
    if (whole !== undefined && text.length > 2) {
      take(whole.name, whole.arity, undefined);
      continue;
    }
    for (let index = 1; index < word.length; index++) {
      const found = spec.options.get(plainText(word[index] ?? ""));
      if (found === undefined) {
        unknown = true;
        continue;
      }
      const glued = word.slice(index + 1);
      if (found.arity === "none") {
        given.push({ name: found.name });
        continue;
      }
      take(found.name, found.arity, glued === "" ? undefined : glued.replace(/^=/, ""));
      break;
    }
  }
  const rest = at;
  operands.push(...words.slice(at));
  return { options: given, operands, unknown, rest };
}

/** GNU programs take every beginning of a long option that no other one shares. */
function findLong(name: string, spec: OptionSpec): { name: string; arity: Arity } | undefined {
  const exact = name.length > 1 ? spec.options.get(name) : undefined;
  if (exact !== undefined) return exact;
  const fitting = spec.longs.filter((long) => long.startsWith(name))
    .map((long) => spec.options.get(long));
  const [first, ...others] = fitting;
  if (first === undefined || others.some((other) => other?.name !== first.name)) return undefined;
  return first;
}
