import { isMany, isNumber, plainText, type Words } from "../../words/word-marks.ts";
import { NUMBER, UNKNOWN } from "../../words/placeholders.ts";
import { has, type ParsedOptions, valuesOf } from "../parse-options.ts";
import { chosenNames } from "../search/chosen-names.ts";
import { areNumbers, type Lines, NUMBERS, wholeLine } from "./output-lines.ts";
import {
  fitsNumbers,
  fitsWord,
  HARMLESS_GSUB,
  isFollowedInAwk,
  JQ_NUMBER,
  matchOf,
  printsNumbersInAwk,
} from "./numbers.ts";

/** What a program makes of the lines that it reads. */
export interface Filter {
  readonly name: string;
  readonly words: Words;
  readonly parsed: ParsedOptions;
  /** Where they are not its input, they are not known. */
  readonly input: Lines | undefined;
}

/** What a filter prints. */
export function filtered(filter: Filter): Lines | undefined {
  const { name, parsed } = filter;
  if (parsed.unknown) return undefined;
  switch (name) {
    case "sort":
    case "uniq":
    case "head":
    case "tail":
    case "tac":
    case "cat":
      return kept(filter);
    case "xargs":
      // It puts one blank between what stood between blanks.
      return filter.words.length === 0 && filter.input?.by !== ":"
        ? filter.input && { fields: filter.input.fields }
        : undefined;
    case "tr":
      return plainText(filter.words[0]) === "-d" && areNumbers(filter.input) ? NUMBERS : undefined;
    case "cut":
      return cutOut(filter);
    case "grep":
    case "egrep":
    case "fgrep":
      return has(parsed, "o") ? matched(filter) : chosen(filter);
    case "awk":
      return awkLines(filter);
    case "jq":
      return has(parsed, "f from-file L") || !JQ_NUMBER.test(plainText(parsed.operands[0])) ||
          /#|\b(?:def|as|label|reduce|foreach)\b/.test(plainText(parsed.operands[0]))
        ? undefined
        : NUMBERS;
  }
  return undefined;
}

/** What only chooses lines, or sorts them; each with the options by which it does more. */
const KEEPS: Readonly<Record<string, string>> = {
  sort: "c C o m z debug files0-from compress-program",
  uniq: "c d D u z all-repeated group",
  head: "c v z",
  tail: "c v z f F follow",
};

function kept({ name, parsed, input }: Filter): Lines | undefined {
  const { options, operands } = parsed;
  const more = KEEPS[name];
  const isPlain = operands.length === 0 &&
    (more === undefined ? options.length === 0 : !has(parsed, more));
  if (name === "uniq" && has(parsed, "c") && !has(parsed, "D all-repeated group z")) {
    const fields = operands.length === 0 && input !== undefined ? input.fields : [undefined];
    return { fields: [[NUMBER], ...fields], ...(input?.by === "\t" && { by: " " }) };
  }
  return isPlain ? input : undefined;
}

/** One column of those that come in. */
function column(input: Lines | undefined, at: number): Lines | undefined {
  const field = input?.fields[at];
  const before = input?.fields.slice(0, at) ?? [];
  return field === undefined || before.includes(undefined) ? undefined : { fields: [field] };
}

function cutOut({ parsed, input }: Filter): Lines | undefined {
  const isPlain = parsed.operands.length === 0 &&
    parsed.options.every(({ name }) => /^[dfscb]$/.test(name));
  if (!isPlain || input === undefined) return undefined;
  // Parts of numbers are numbers; a line without the delimiter is printed as it is.
  if (input.fields.length === 1) return areNumbers(input) ? input : undefined;
  const [field = "", ...others] = valuesOf(parsed, "f");
  const [by = "\t"] = valuesOf(parsed, "d").map(plainText);
  if (others.length > 0 || !/^[1-9]$/.test(field)) return undefined;
  return by === (input.by ?? " ") ? column(input, Number(field) - 1) : undefined;
}

function chosen({ name, words, input }: Filter): Lines | undefined {
  const whole = wholeLine(input);
  const names = chosenNames(name, words, whole ?? []);
  if (names === undefined) return undefined;
  // Of columns it keeps every one.
  return whole === undefined || names === whole ? input : { fields: [names] };
}

/** What `grep -o` prints. */
function matched({ name, parsed }: Filter): Lines | undefined {
  const { options, operands } = parsed;
  const isPlain = options.every(({ name: option }) => /^[oEPhiaemw]$/.test(option));
  const given = valuesOf(parsed, "e");
  const [expression = operands[0] ?? ""] = given;
  // Of several files their names are printed, too.
  const files = operands.length - (given.length === 0 ? 1 : 0);
  const isAlone = files <= 1 || has(parsed, "h");
  const [file = ""] = operands.slice(given.length === 0 ? 1 : 0);
  const isOneFile = has(parsed, "h") || !(/[*?[{]/.test(file) || isMany(file));
  if (!isPlain || given.length > 1 || !isAlone || !isOneFile) {
    return undefined;
  }
  const text = plainText(expression);
  const isExtended = name === "egrep" || has(parsed, "E P");
  const match = has(parsed, "P") ? matchOf(text) : text;
  if (!isExtended && /[+?{}()|]/.test(match.replace(/\\[+?{}()|]/g, ""))) return undefined;
  const perl = has(parsed, "P");
  if (fitsNumbers(match, { perl })) return NUMBERS;
  // Words with blanks between, of which none is empty.
  const parts = match.includes("|") ? [] : match.replace(/^\^/, "").split(/ (?:\\?\+)?(?![*?{\\])/);
  const fields = parts.map((each) =>
    !/^[A-Za-z\d[\\](?:[^*?]*[^*?])?$/.test(each)
      ? undefined
      : fitsNumbers(each, { perl })
      ? [NUMBER]
      : fitsWord(each)
      ? [UNKNOWN]
      : undefined
  );
  return fields.length > 1 && !fields.includes(undefined) ? { fields } : undefined;
}

function awkLines({ parsed, input }: Filter): Lines | undefined {
  const { options, operands: [program = "", ...operands] } = parsed;
  if (!options.every(({ name }) => /^[Fv]$/.test(name))) return undefined;
  if (operands.some((word) => word.includes("="))) return undefined;
  const text = plainText(program);
  const variables = valuesOf(parsed, "v").map((value) => /^(\w+)=([^]*)$/.exec(value));
  // Those in capitals change how everything is read and printed.
  if (variables.some((set) => set === null || /^[A-Z]/.test(set[1] ?? ""))) return undefined;
  if (!isFollowedInAwk(text)) return undefined;
  // What a variable is set to could be text.
  const isText = variables.some((set) =>
    !isNumber(set?.[2] ?? "") &&
    new RegExp(`print\\s+(?:[^;}]*,\\s*)?${set?.[1]}\\s*(?:[,;}\\n]|$)`).test(text)
  );
  if (!isText && printsNumbersInAwk(text)) return NUMBERS;
  if (operands.length > 0) return undefined;
  const [separator] = valuesOf(parsed, "F").map(plainText);
  const by = separator?.replace(/^\\t$|^t$/, "\t").replace(/^\[?( |:)\]?$/, "$1");
  return fieldsOf(text, input, by);
}

/** The fields that an awk program prints, where it does nothing else. */
function fieldsOf(
  program: string,
  input: Lines | undefined,
  by: string | undefined,
): Lines | undefined {
  if (input === undefined) return undefined;
  // What is taken away from a number leaves one.
  const text = program.replace(HARMLESS_GSUB, "");
  if (/(?<![=!<>~])=(?!=)|getline|sub *\(|split *\(|\+\+|--|\bfor\b/.test(text)) return undefined;
  const printed = [...text.matchAll(/\bprintf?\b *([^;}\n]*)/g)].map(([, each = ""]) =>
    each.trim()
  );
  const [first = "", ...others] = printed;
  if (printed.length === 0 || others.some((each) => each !== first)) return undefined;
  if (first === "" || first === "$0") return input;
  const numbers = /^\$(\d|NF)(?:, *\$(\d|NF))*$/.test(first) ? first.match(/\d|NF/g) ?? [] : [];
  const isOne = input.fields.length === 1;
  const fits = isOne
    ? areNumbers(input) || by === undefined
    : by === undefined
    ? input.by === undefined || /[ \t]/.test(input.by)
    : by === (input.by ?? " ");
  if (numbers.length === 0 || !fits) return undefined;
  const fields = numbers.map((each) => {
    const at = (each === "NF" ? input.fields.length : Number(each)) - 1;
    const field = column(input, at)?.fields[0];
    return text !== program && field?.[0] !== NUMBER ? undefined : field;
  });
  return fields.includes(undefined) && fields.length === 1 ? undefined : { fields };
}
