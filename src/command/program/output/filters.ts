import { isMany, isPattern, mayBeOption, plainText, quoted } from "../../words/word-marks.ts";
import { ANY, NUMBER, PART, REF, UNKNOWN } from "../../words/placeholders.ts";
import { has, valuesOf } from "../parse-options.ts";
import type { Command } from "../taken-apart.ts";
import { chosenNames } from "../search/chosen-names.ts";
import { hiddenLike } from "../search/name-patterns.ts";
import {
  areNumbers,
  columnOf,
  columns,
  kindOf,
  type Lines,
  NUMBERS,
  someOf,
  wholeLine,
} from "./output-lines.ts";

/** What a filter prints. */
export function filtered(filter: Command): Lines | undefined {
  const { name, program, parsed, input } = filter;
  if (parsed.unknown) return undefined;
  switch (program.syntax === "awk" ? "awk" : name) {
    case "sort":
    case "uniq":
    case "head":
    case "tail":
    case "tac":
    case "cat":
      return kept(filter);
    case "sed":
      return LINES.test(line(filter)) ? someOf(input.lines) : undefined;
    case "tr":
      if (isPart(input.lines) && JOINS.test(line(filter))) return input.lines;
      return areNumbers(input.lines) && KEEPS_DIGITS.test(line(filter)) ? NUMBERS : undefined;
    case "cut":
      return cutOut(filter);
    case "grep":
    case "egrep":
    case "fgrep":
      return has(parsed, "o") ? matched(filter) : chosen(filter);
    case "awk":
      return awkLines(filter);
    case "jq":
      return writesJson(filter) ? { fields: [undefined], json: true } : undefined;
  }
  return undefined;
}

const line = ({ words }: Command) => words.map(plainText).join(" ");

/** Whether each line is a plain part of a path. */
function isPart(lines: Lines | undefined): boolean {
  const kind = kindOf(lines);
  return kind === PART || kind === REF;
}

/** What `sed` prints of its input by the numbers of lines. */
const LINES = /^-n (?:\d+|\$)(?:,(?:\d+|\$))?p$/;

/** What only chooses lines, or sorts them; each with the options by which it does more. */
const KEEPS: Readonly<Record<string, string>> = {
  sort: "c C o m debug files0-from compress-program",
  uniq: "c d D u z all-repeated group",
  head: "c v z",
  tail: "c v z f F follow",
};

function kept({ name, parsed, input: { lines: input } }: Command): Lines | undefined {
  const { options, operands } = parsed;
  const more = KEEPS[name];
  const isPlain = operands.length === 0 &&
    (more === undefined ? options.length === 0 : !has(parsed, more));
  if (name === "uniq" && has(parsed, "c") && !has(parsed, "D all-repeated group z")) {
    const fields = operands.length === 0 && input !== undefined ? input.fields : [undefined];
    return { fields: [[NUMBER], ...fields], ...(input?.by === "\t" && { by: " " }) };
  }
  if (!isPlain) return undefined;
  return /^(?:head|tail)$/.test(name) ? someOf(input) : input;
}

/** What makes one name of parts of a path. */
const JOINS = /^\/ [-_]$/;

/** What leaves the digits of numbers alone. */
const KEEPS_DIGITS = /^-d (?:[ ,%_"'A-Za-z]|\\[nrt]|\[:(?:blank|space|alpha):\])+$/;

/** One column of those that come in. */
function column(input: Lines, at: number, by?: string): Lines | undefined {
  const field = columnOf(input, at, by);
  return field && { fields: [field] };
}

function cutOut(filter: Command): Lines | undefined {
  const { parsed, input: { lines: input } } = filter;
  const isPlain = parsed.operands.length === 0 &&
    parsed.options.every(({ name }) => /^[dfscb]$/.test(name));
  if (!isPlain || input === undefined) return undefined;
  // Parts of numbers are numbers.
  if (areNumbers(input)) return input;
  // The beginning of a part is one.
  if (isPart(input) && /^-[cb] ?1-\d+$/.test(line(filter))) return input;
  const [field = "", ...others] = valuesOf(parsed, "f");
  const [by = "\t", ...more] = valuesOf(parsed, "d").map(plainText);
  if (others.length + more.length > 0 || !/^[1-9]$/.test(field)) return undefined;
  // A line without the delimiter is printed as it is.
  return input.fields.length > 1 ? column(input, Number(field) - 1, by) : undefined;
}

function chosen({ name, words, input: { lines: input } }: Command): Lines | undefined {
  const whole = wholeLine(input);
  const names = chosenNames(name, words, whole ?? []);
  if (names === undefined) return undefined;
  // Of columns it keeps every one.
  return someOf(whole === undefined || names === whole ? input : { fields: [names] });
}

/** What `grep -o` prints. */
function matched({ name, parsed }: Command): Lines | undefined {
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
  // `took [0-9]+ ms`, `^FROM node:[0-9]+`.
  const template = match.replace(/^\^|\$$/g, "").replaceAll("\\.", ".").replace(
    has(parsed, "P")
      ? /(?:\\d|\[0-9\])(?:\+|\{\d+\})/g
      : /\[(?:0-9|\[:digit:\])\](?:\\?\+|\{\d+\})/g,
    NUMBER,
  );
  if (!TEMPLATE.test(template)) return undefined;
  const letters = has(parsed, "i ignore-case") ? /[^]*[A-Za-z][^]*/ : /^$/;
  const fields = template.split(" ").map((each) => [quoted(each.replace(letters, UNKNOWN))]);
  return { fields };
}

/** The part of a Perl expression that is in its match: behind `\K`, without what is looked at around it. */
function matchOf(expression: string): string {
  // Another alternative can have another part.
  if (expression.includes("|")) return expression;
  return expression.replace(/^[^]*\\K/, "").replace(/^\(\?<=[^()]*\)/, "")
    .replace(/\(\?=[^()]*\)$/, "");
}

/** Text that stands for itself, with numbers in it. */
const TEMPLATE = new RegExp(`^(?!.*  )(?=.*${NUMBER})(?! )[\\w :=/%,"'@${NUMBER}-]+$`);

function awkLines({ parsed, input: { lines } }: Command): Lines | undefined {
  const { options, operands: [program = "", ...operands] } = parsed;
  if (!options.every(({ name, value }) => /^(?:F|v[a-z]\w*=)/.test(name + value))) return undefined;
  const text = plainText(program).trim();
  // A word like `NR=x` behind the program could set what it counts; a path is none.
  if (!operands.every((word) => AWK_FILE.test(plainText(word)))) return undefined;
  if (AWK_NUMBER.test(text)) return NUMBERS;
  const [, sum] = AWK_SUM.exec(text) ?? [];
  // Without any line it would print what an option sets.
  const isSet = options.some(({ value }) => value?.startsWith(`${sum}=`));
  if (sum !== undefined && !isSet) return NUMBERS;
  const input = operands.join() === "/proc/meminfo" ? columns("word number any") : lines;
  // Of what `free` prints, the line of its numbers.
  const isFree = input?.fields.length === 7 && input.fields[0] === undefined;
  if (isFree && options.length === 0 && AWK_FREE.test(text)) return NUMBERS;
  const [, expression, compared, field] = AWK_FIELD.exec(text) ?? [];
  if (field === undefined || input === undefined) return undefined;
  if (operands.length > 0 && input === lines) return undefined;
  const [separator, ...separators] = valuesOf(parsed, "F").map(plainText);
  const by = separator?.replace(/^\\t$|^t$/, "\t").replace(/^\[?( |:)\]?$/, "$1");
  if (separators.length > 0 || (by !== undefined && input.fields.length < 2)) return undefined;
  const chosen = column(input, (field === "NF" ? input.fields.length : Number(field)) - 1, by);
  const [names] = chosen?.fields ?? [];
  // Of names, such a test chooses those that it means.
  const like = expression ?? compared?.replace(/\W/g, "\\$&");
  const means = like === undefined ? [] : hiddenLike(like);
  return means.length > 0 && names?.some(isPattern) ? undefined : chosen;
}

/** A file, or a pattern of files: no placeholder, and no assignment. */
const AWK_FILE = new RegExp(`^(?!.*[${ANY}])(?:[^=*?[]+|[^=*?[]*/[^]*)$`);
/** One column, of all lines or of those that an expression or a comparison chooses. */
const AWK_FIELD =
  /^(?:\/([^\/{}]*)\/ ?|\$?(?:\d|NF|NR) ?(?:[!=]=|[<>]=?) ?(?:\d+|"([\w .\/?-]*)") ?)?\{ ?print \$(\d|NF);?(?: ?exit;?)? ?\}$/;
const AWK_FREE = /^\/\^?(?:Mem|Swap):\/ ?\{ ?print \$[2-7];?(?: ?exit;?)? ?\}$/;
/** A number, whatever the line is. */
const AWK_NUMBER =
  /^(?![^]*getline)(?:\/[^\/]*\/|"[^"]*"|[=!<>]=|&&|\|\||[\w\s$.~<>!])*\{ ?print (?:int\(\$(?:\d|NF)(?: ?[-+*\/] ?\d+)?\)|N[RF])(?: ?[-+*\/] ?\d+)?;?(?: ?exit;?)? ?\}$/;
/** What is left of or added to a sum is one, too. */
const OF_A_SUM = String.raw`\1(?: ?[-+*/] ?(?:\d+|NR))?`;
/** A sum or a count of all lines or of some, printed at the end. */
const AWK_SUM = new RegExp(
  String.raw`^(?:/[^/{};]*/ ?|(?:NR|NF|\$\d) ?(?:[!=]=|[<>]=?) ?(?:\d+|"[\w .-]*") ?)?` +
    String.raw`\{ ?([a-z]\w*) ?(?:\+= ?\$?(?:\d|NF|NR)|\+\+);? ?\} ?END ?` +
    String
      .raw`\{ ?(?:print (?:${OF_A_SUM}|int\(${OF_A_SUM}\))|printf ?\(?"%(?:[di]|\.0f)(?:\\n)?", ?${OF_A_SUM}\)?);? ?\}$`,
);

/** Whether texts stay in quotes: options may follow operands. */
function writesJson({ parsed: { options, operands } }: Command): boolean {
  return options.every(({ name }) => WRITES_JSON.test(name)) && !operands.some(mayBeOption);
}

/** Options of `jq` with which texts stay in quotes. */
const WRITES_JSON = /^(?:[nsceSM]|arg|argjson|slurpfile|rawfile|indent|tab)$/;
