import type {
  Command,
  CommandExpansionPart,
  ProcessSubstitutionPart,
  SyntaxNode,
  Word,
} from "unbash";
import type { SimpleCommand } from "../../../event/analysis.ts";
import { hiddenLike, withDots } from "../../program/search/name-patterns.ts";
import { givenAs, has, parseOptions } from "../../program/parse-options.ts";
import { pattern } from "../../program/remembered.ts";
import type { Programs } from "../../program/programs.ts";
import { UNKNOWN } from "../../words/placeholders.ts";
import { isPattern, isUnknown, type Words } from "../../words/word-marks.ts";

const INTEGER = /^[-+]?\d+$/;

/** Whether a word is a number, whatever happens. */
export function isNumeric(
  { value, parts }: Pick<Word, "value" | "parts">,
  programs: Programs,
): boolean {
  if (parts === undefined) return INTEGER.test(value);
  const [only, ...others] = parts.length === 1 && parts[0]?.type === "DoubleQuoted"
    ? parts[0].parts
    : parts;
  if (only === undefined || others.length > 0) return false;
  switch (only.type) {
    case "ArithmeticExpansion":
      return true;
    case "BraceExpansion":
      return /^\{-?\d+\.\.-?\d+(?:\.\.-?\d+)?\}$/.test(only.text) ||
        /^\{\d+(?:,\d+)+\}$/.test(only.text);
    case "SimpleExpansion":
      return /^\$(?:[#?$!]|S?RANDOM|(?:EPOCH)?SECONDS|LINENO|BASHPID|PPID|E?UID)$/.test(only.text);
    case "ParameterExpansion":
      return only.prefix === "#";
    case "CommandExpansion":
      return printsCount(only, programs);
    default:
      return false;
  }
}

/** What takes blanks away that stand around numbers. */
const TRIMS = /^(?:xargs|tr -d (?: |\[:space:\]))$/;

/**
 * The words of the last command whose output a substitution takes, if all of it goes there.
 *
 * @param options.alone Without its errors.
 * @param options.trimmed A command behind it that changes nothing that matters.
 */
export function lastCommand(
  { script }: Pick<CommandExpansionPart | ProcessSubstitutionPart, "script">,
  { alone = false, trimmed = /^$/ }: { readonly alone?: boolean; readonly trimmed?: RegExp } = {},
): readonly string[] | undefined {
  const { commands: [statement, ...others] = [], errors = [] } = script ?? {};
  if (others.length > 0 || errors.length > 0) return undefined;
  const whole = statement?.command;
  // `grep -c x y || true`.
  const command = whole?.type === "AndOr" && whole.operators.join() === "||" &&
      textOf(whole.commands[1]) === "true"
    ? whole.commands[0]
    : whole;
  const members = command?.type === "Pipeline" ? command.commands : [command];
  const isPlain = members.length > 1 && command?.type === "Pipeline" &&
    !command.operators.includes("|&") && trimmed.test(textOf(members.at(-1)));
  const last = members.at(isPlain ? -2 : -1);
  if (last?.type !== "Command" || last.name === undefined) return undefined;
  const parts = [...last.prefix, ...last.suffix];
  if (parts.some((part) => takesOutput(part, alone))) return undefined;
  const words = [last.name, ...last.args.filter((word) => word.type === "Word")];
  const hasPart = (word: Word, kind: RegExp) => word.parts?.some(({ type }) => kind.test(type));
  if (words.some((word) => hasPart(word, /^ProcessSubstitution$/))) return undefined;
  return words.map((word) => hasPart(word, /Expan/) ? UNKNOWN : word.value);
}

/** The words of a simple command without redirections, where they are all written out. */
function textOf(node: SyntaxNode | undefined): string {
  if (node?.type !== "Command" || node.prefix.length > 0) return "";
  return [node.name, ...node.suffix].map((part) => part?.type === "Word" ? part.value : "\0").join(
    " ",
  );
}

/** Whether a part of a command is a redirection that can lead its output elsewhere. */
function takesOutput(part: Command["suffix"][number], alone: boolean): boolean {
  if (part.type === "Word" || part.type === "Assignment") return false;
  const { descriptor, operator } = part;
  if (descriptor === undefined) return !operator.startsWith("<");
  return descriptor.type !== "FileDescriptor" || descriptor.value === 1 ||
    (alone &&
      (operator === ">&" ||
        (part.type === "Redirect" && TO_OUTPUT.test(part.target?.value ?? ""))));
}

/** Whether what a substitution prints are numbers. */
export function printsCount(
  part: Pick<CommandExpansionPart, "script">,
  programs: Programs,
): boolean {
  return printsNumbers(lastCommand(part, { alone: true, trimmed: TRIMS }), programs) ||
    printsLineNumbers(part, programs);
}

const FIRST_FIELD = /^(?:cut (?:-d ?: -f ?1|-f ?1 -d ?:)|awk -F ?: \{ ?print \$1;? ?\})$/;
const SOME_LINES = /^(?:head|tail|sort|uniq)(?: -[nur]*(?: ?\d+)?)*$/;

/** Whether it prints the numbers of lines, as `grep -n TEXT FILE | cut -d: -f1` does. */
function printsLineNumbers(
  { script }: Pick<CommandExpansionPart, "script">,
  programs: Programs,
): boolean {
  const { commands: [statement, ...others] = [], errors = [] } = script ?? {};
  const pipeline = statement?.command;
  if (others.length > 0 || errors.length > 0 || pipeline?.type !== "Pipeline") return false;
  // With its errors.
  if (pipeline.operators.includes("|&")) return false;
  const [search, ...rest] = pipeline.commands;
  if (search?.type !== "Command" || search.prefix.length > 0) return false;
  if (!FIRST_FIELD.test(textOf(rest.at(-1)))) return false;
  if (!rest.slice(0, -1).every((each) => SOME_LINES.test(textOf(each)))) return false;
  const words = [search.name, ...search.suffix].map((word) =>
    word?.type !== "Word"
      ? ""
      : word.parts?.some(({ type }) => /Expan/.test(type))
      ? UNKNOWN
      : word.value
  );
  if (!/^[ef]?grep$/.test(words[0] ?? "") || words.includes("")) return false;
  const found = programs.find(words);
  if (found === undefined) return false;
  const parsed = parseOptions(found.words, { spec: found.spec });
  // In one file that is named, so that no name stands before a number.
  return !parsed.unknown && has(parsed, "n") && parsed.operands.length === 2 &&
    parsed.options.every(({ name }) => /^[nEFPiwxmvosha]$/.test(name)) &&
    !isUnknown(parsed.operands[1]) && !isPattern(parsed.operands[1] ?? "");
}

/** A descriptor by its path. */
const TO_OUTPUT = /^\/(?:dev\/(?:stdout|stderr|fd)|proc)(?:\/|$)/;

const CHOOSES =
  /^(?:(?:sort|uniq|head|tail)(?!(?:\0[^\0]*)*\0-c\0?\d)(?:\0-[nck]\0?\+?\d+|\0-[A-Za-z]+|\0-\d+)*|[ef]?grep(?:\0-[viwxEFP]+)*\0(?!-)[^\0]+|awk\0\{ ?print \$(?:\d|NF);? ?\})$/;

/** The names that a command chooses from those that come in; `undefined` where it does more. */
export function chosenNames(argv: SimpleCommand["argv"], found?: Words): Words | undefined {
  if (!CHOOSES.test(argv.map((word) => word ?? "\0").join("\0"))) return undefined;
  const [name, ...words] = argv.map((word) => word ?? "");
  const options = words.filter((word) => word.startsWith("-")).join("");
  if (found === undefined || !name?.endsWith("grep") || options.includes("v")) return found;
  // What it looks for is named, where anything comes in.
  const expression = words.at(-1) ?? "";
  const named = hiddenLike(options.includes("F") ? expression.replace(/\W/g, "\\$&") : expression);
  const wide = found.filter((each) => each.endsWith("**/*"));
  // What ends in `.ts` or `.(js|ts)` is no other file, and no settings.
  const [, ends = ""] = /^[^|]*\\\.\(?([a-z\d|?]+)\)?\$$/.exec(expression) ?? [];
  const keepsAll = ends === "" || /json|toml|ml|sample|md|sh/.test(ends) || options.includes("F") ||
    (/[(|?]/.test(expression) && !/^eg|E|P/.test(name + options));
  const kept = found.flatMap((each) => {
    if (keepsAll || !wide.includes(each)) return each;
    return ends.split("|").flatMap((end) => withDots(`${each}.${end.replace(/.\?/g, "*")}`));
  });
  return [...kept, ...wide.flatMap((each) => named.map((like) => each.slice(0, -1) + like))];
}

/** Whether a command prints one plain part of a path, or nothing. */
export function printsPart(words: Words, programs: Programs): boolean {
  const { part, name } = { ...programs.find(words)?.program, name: words[0] };
  return part !== undefined && !name?.includes("/") && pattern(part).test(words.slice(1).join(" "));
}

/** Whether a command prints only numbers. */
export function printsNumbers(words: readonly string[] | undefined, programs: Programs): boolean {
  const found = words && programs.find(words);
  const numeric = found?.program.numeric;
  if (found === undefined || numeric === undefined) return false;
  const parsed = parseOptions(found.words, { spec: found.spec });
  if (parsed.unknown) return false;
  if (numeric === "all") return parsed.options.every((option) => option.name === "w");
  if (numeric.startsWith("^")) {
    return parsed.operands.length === 1 && pattern(numeric).test(parsed.operands[0] ?? "");
  }
  const skip = has(parsed, found.program.unless) ? 0 : found.program.skip ?? 0;
  // Of several files their names are printed, too.
  if (parsed.operands.slice(skip).some((word) => /[*?[{]/.test(word))) return false;
  const given = givenAs(parsed, numeric);
  // `stat -c %s FILE`.
  const format = given[0]?.value;
  const operands = found.program.skip === undefined ? (format === undefined ? 0 : 1) : skip;
  return given.every(({ value = "%s" }) => /^%[sXYZ]$/.test(value)) && given.length > 0 &&
    parsed.operands.length <= operands + (operands > 0 ? 1 : 0) &&
    !has(parsed, "H r R n e o printf name");
}
