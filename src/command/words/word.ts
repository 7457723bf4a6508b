import type { CommandExpansionPart, ParameterExpansionPart, Word, WordPart } from "unbash";
import {
  JSON_VALUE,
  NUMBER,
  OUTSIDE,
  PARTS,
  PIPE_NAME,
  UNKNOWN,
  UNKNOWN_WORDS,
} from "./placeholders.ts";
import { changedValue } from "./operations.ts";
import { isNumber, isPattern, isUnknown, plainText, quoted, SECOND_STAR } from "./word-marks.ts";

/** What the words of a line may refer to. */
export interface Scope {
  /** The marked texts that a variable can have; `undefined` if they are known only at run time. */
  values(name: string): readonly string[] | undefined;
  /** The words that an array or the arguments are, in their order. */
  items(name: string): readonly string[] | undefined;
  /** The texts that one of the elements of an array, or of the values of a map, can have. */
  elements(name: string): readonly string[] | undefined;
  /** The same for one of its keys. */
  keys(name: string): readonly string[] | undefined;
  /** Whether the line never sets a variable, so that nothing of the line is in it. */
  isOutside(name: string): boolean;
  /** Note that an expansion spells an option, or words of which some can be more than text. */
  spellsMore(part: ParameterExpansionPart): void;
  /** What a command substitution puts into a word. */
  output(part: CommandExpansionPart, inQuotes: boolean): string;
  /** A placeholder for one of several marked texts. */
  placeholder(texts: readonly string[]): string;
  /** Other text of the word stays where a value is empty. */
  readonly stays?: boolean;
}

/** Read a word into its marked text, see `word-marks.ts`. */
export function markWord({ text, parts }: Pick<Word, "text" | "parts">, scope: Scope): string {
  if (parts === undefined) return unquote(text);
  const stays = parts.some((part) => part.type === "Literal" && unquote(part.text) !== "");
  const own = stays ? { stays, ...scope } : scope;
  return joined(
    parts.map((part, at) =>
      namesMore(part, parts.slice(at + 1)) ? UNKNOWN_WORDS : mark(part, own, false)
    ),
  ).replaceAll(JSON_VALUE, UNKNOWN);
}

/** Whether braces give a variable another name: they are expanded first, so that `$r{a,b}` is `$ra $rb`. */
function namesMore(part: WordPart, [braces, behind]: readonly WordPart[]): boolean {
  if (part.type !== "SimpleExpansion" || braces?.type !== "BraceExpansion") return false;
  const names = /[{,]\w/.test(braces.text) || /^[\w{]/.test(behind?.text ?? "");
  return names && /^\$[A-Za-z_]/.test(part.text);
}

/** The same where no value is split into words, as behind `=` and within `[[ … ]]`. */
export function markUnsplit({ text, parts }: Pick<Word, "text" | "parts">, scope: Scope): string {
  return parts === undefined ? unquote(text) : joined(parts.map((part) => mark(part, scope, true)));
}

function joined(parts: readonly string[]): string {
  const text = parts.join("");
  // Of JSON the whole value is known alone.
  const marked = text.length > 1 ? text.replaceAll(JSON_VALUE, UNKNOWN) : text;
  if (marked.startsWith("-")) {
    return marked.replace(OPTION, (name) => name.replace(IN_OPTION, UNKNOWN));
  }
  return marked;
}

/** Kinds of values that operations leave. */
const KINDS = new RegExp(`^[${NUMBER}${PARTS}]$`);
/** What names an option: with a part of a name in it, it can be any. */
const OPTION = /^-[^=]*/;
const IN_OPTION = new RegExp(`[${PARTS}]`, "g");

function mark(part: WordPart, scope: Scope, unsplit: boolean): string {
  switch (part.type) {
    case "Literal":
      return unquote(part.text);
    case "Glob":
      return expandable(part.text);
    case "ExtendedGlob":
      return part.text;
    case "SingleQuoted":
      return quoted(part.value);
    case "AnsiCQuoted":
      // Bytes that are no UTF-8.
      return part.value.includes("\ufffd") ? UNKNOWN : quoted(part.value);
    case "DoubleQuoted":
    case "LocaleString":
      return part.parts.map((child) =>
        child.type === "Literal" ? quoted(child.value) : expansion(child, scope, true)
      ).join("");
    case "ProcessSubstitution":
      return PIPE_NAME;
    case "BraceExpansion":
      return /["'\\$`]/.test(part.text) ? UNKNOWN_WORDS : expandable(part.text);
    default:
      return expansion(part, scope, unsplit);
  }
}

type Expansion = Extract<
  WordPart,
  { type: "SimpleExpansion" | "ParameterExpansion" | "CommandExpansion" | "ArithmeticExpansion" }
>;

function expansion(part: Expansion, scope: Scope, inQuotes: boolean): string {
  switch (part.type) {
    case "ArithmeticExpansion":
      return NUMBER;
    case "CommandExpansion":
      return inQuotes ? scope.output(part, true) : split(scope.output(part, false));
    case "SimpleExpansion":
      return variable(part.text.slice(1), scope, inQuotes);
    case "ParameterExpansion":
      return parameter(part, scope, inQuotes);
  }
}

function parameter(part: ParameterExpansionPart, scope: Scope, inQuotes: boolean): string {
  const { parameter: name, prefix, index, operation } = part;
  if (prefix === "#") return NUMBER;
  if (/^[@*]$/.test(index?.text ?? name)) {
    const elements = prefix === undefined && operation === undefined
      ? scope.elements(name)
      : undefined;
    return elements?.[0] !== undefined && elements.every(isNumber) ? NUMBER : UNKNOWN_WORDS;
  }
  const spelled = spelledBy(operation);
  if (!inQuotes && /\s/.test(spelled) && MORE_THAN_TEXT.test(spelled)) scope.spellsMore(part);
  if (/^[-+](?!-?[A-Za-z\d-]*$)/.test(spelled)) scope.spellsMore(part);
  const outside = prefix === undefined && index === undefined && scope.isOutside(name) &&
    /^(?!-)[\w./:@%+=-]*$/.test(spelled);
  const unknown = inQuotes ? UNKNOWN : outside ? OUTSIDE : UNKNOWN_WORDS;
  if (prefix !== undefined) return unknown;
  if (index === undefined && operation === undefined) return variable(name, scope, inQuotes);
  const values = index === undefined ? scope.values(name) : anElement(scope.elements(name));
  if (operation === undefined) return values ? chosen(values, scope, inQuotes) : unknown;
  if (operation.type === "Default") {
    return withDefault(operation, { values, unknown, scope, inQuotes });
  }
  const changed = values?.flatMap((value) => {
    const each = changedValue(value, operation, (word) => markWord(word, scope)) ?? UNKNOWN;
    // Nothing can be left of a number.
    return each === NUMBER ? [each, ""] : each;
  });
  return changed === undefined ||
      changed.some((each) => isUnknown(each) && !KINDS.test(each))
    ? unknown
    : chosen(changed, scope, inQuotes);
}

/** What one element can be, or nothing in place of it; numbers count as found. */
function anElement(elements: readonly string[] | undefined): readonly string[] | undefined {
  return elements?.[0] !== undefined && elements.every(isNumber)
    ? [NUMBER]
    : elements && [...elements, ""];
}

interface Defaulted {
  readonly values: readonly string[] | undefined;
  readonly unknown: string;
  readonly scope: Scope;
  readonly inQuotes: boolean;
}

/** A value, or the text that an operation puts in place of it. */
function withDefault(
  { operand, operator }: Extract<ParameterExpansionPart["operation"], { type: "Default" }>,
  { values, unknown, scope, inQuotes }: Defaulted,
): string {
  if (operator.endsWith("?")) {
    // Where it is not set, the shell ends.
    const set = operator.startsWith(":") ? values?.filter((value) => value !== "") : values;
    if (set?.length === 0) return "";
    return set ? chosen(set, scope, inQuotes) : unknown;
  }
  const isFull = operator.startsWith(":") && values !== undefined && values.length > 0 &&
    values.every((value) => value !== "" && !isUnknown(value));
  if (isFull && operator.endsWith("-")) return chosen(values, scope, inQuotes);
  const other = markWord(operand, scope);
  const isOne = inQuotes || (split(other) === other && !/[{}]/.test(other));
  if (isUnknown(other) || !isOne) return unknown;
  const quotes = inQuotes ? quoted(other) : other;
  const none = isFull ? [] : [""];
  const own = operator.endsWith("+") ? none : values ?? [unknown];
  const kept = operator.startsWith(":-") ? own.filter((value) => value !== "") : own;
  const all = [...new Set([...kept, quotes])];
  return all.length === 1 && !isPattern(quotes) ? quotes : scope.placeholder(all);
}

/** An option, a path or a setting among words. */
const MORE_THAN_TEXT = /(?:^|\s)-|[=./:~$`\\]/;

/** The text that an operation puts into a value. */
function spelledBy(operation: ParameterExpansionPart["operation"]): string {
  if (operation?.type === "Default") return operation.operand.text;
  return operation?.type === "Replace" ? operation.replacement.text : "";
}

function variable(name: string, scope: Scope, inQuotes: boolean): string {
  if (/^[?#$!]$/.test(name)) return NUMBER;
  if (name === "@" || name === "*") return UNKNOWN_WORDS;
  const values = scope.values(name);
  if (values === undefined) {
    return inQuotes ? UNKNOWN : scope.isOutside(name) ? OUTSIDE : UNKNOWN_WORDS;
  }
  return chosen(values, scope, inQuotes);
}

function chosen(values: readonly string[], scope: Scope, inQuotes: boolean): string {
  const [only] = values;
  const isWord = (value: string) => split(value) === value || (scope.stays && value === "");
  if (!inQuotes && !values.every(isWord)) return UNKNOWN_WORDS;
  return values.length === 1 && only !== undefined && !isPattern(only)
    ? only
    : scope.placeholder(values);
}

const SPLIT = new RegExp(`[${UNKNOWN}${JSON_VALUE}]`);

/** A value outside quotes: empty, with blanks, or with a quoted pattern it is no word or many. */
function split(marked: string): string {
  const plain = plainText(marked);
  return marked === "" || /[ \t\n]/.test(marked) || SPLIT.test(marked) ||
      (plain !== marked.replaceAll(SECOND_STAR, "*") && isPattern(plain))
    ? UNKNOWN_WORDS
    : marked;
}

/** A pattern, with what the shell makes of `**`. */
function expandable(pattern: string): string {
  return pattern.replaceAll("**", `*${SECOND_STAR}`);
}

/** Quote removal outside quotes. */
function unquote(text: string): string {
  const plain = (_: string, char = "\\") => char === "\n" ? "" : quoted(char);
  return text.includes("\\") ? text.replace(/\\([^])?/g, plain) : text;
}
