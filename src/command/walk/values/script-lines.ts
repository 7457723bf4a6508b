import type { Command, Function, ParsedScript, Redirection, SyntaxNode, Word } from "unbash";
import { areNumbers, joinedLines, type Lines, NOTHING } from "../../program/output/output-lines.ts";
import { printedLines } from "../../program/output/printed-lines.ts";
import { parseOptions } from "../../program/parse-options.ts";
import type { Programs } from "../../program/programs.ts";
import { foundLines } from "../../program/search/found-names.ts";
import { NUMBER, UNKNOWN, UNKNOWN_WORDS } from "../../words/placeholders.ts";

/** What can print in a text: programs, and the functions that it defines. */
export interface Printers {
  readonly programs: Programs;
  readonly functions: ReadonlyMap<string, Function["body"]>;
  /** What was found, by how many functions were defined then. */
  readonly known: Map<
    ParsedScript,
    { readonly defined: number; readonly lines: Lines | undefined }
  >;
  /** Whether nothing that is printed counts as known. */
  readonly distrusts: () => boolean;
  /** How many functions call each other. */
  readonly depth?: number;
}

/** How deep functions that print are followed. */
const DEEPEST = 4;
/** The path of a file, and nothing that is open already. */
const FILE = /^(?:\/dev\/null|(?!.*(?:\.\.|\b(?:dev|proc|fd)\/))(?:\/tmp\/)?\w[\w./-]*\.\w+)$/;
/** What prints none of its arguments. */
const SILENT = /^(?::|true|false|exit|return|test|\[|shift|sleep|wait|break|continue)$/;

/** What the lines of a script's output can be, by its text alone; `undefined`: any text. */
export function linesOf(script: ParsedScript | undefined, printers: Printers): Lines | undefined {
  if (script === undefined || (script.errors?.length ?? 0) > 0) return undefined;
  if (printers.distrusts()) return undefined;
  const found = printers.known.get(script);
  if (found?.defined === printers.functions.size) return found.lines;
  const lines = sequence(script.commands, printers);
  printers.known.set(script, { defined: printers.functions.size, lines });
  return lines;
}

type Statements = ParsedScript["commands"];

function sequence(statements: Statements, printers: Printers, input?: Lines): Lines | undefined {
  return all(
    statements,
    (each) => each.background ? undefined : nodeLines(each.command, printers, input),
  );
}

function all<T>(parts: readonly T[], lines: (part: T) => Lines | undefined): Lines | undefined {
  let joined: Lines | undefined = NOTHING;
  for (const part of parts) {
    joined = joinedLines(joined, lines(part));
    if (joined === undefined) return undefined;
  }
  return joined;
}

function nodeLines(
  node: SyntaxNode,
  printers: Printers,
  input: Lines | undefined,
): Lines | undefined {
  switch (node.type) {
    case "AndOr":
      return all(node.commands, (each) => nodeLines(each, printers, input));
    case "Pipeline":
      // With errors among the lines.
      if (node.operators.includes("|&")) return undefined;
      return node.commands.reduce(
        (lines: Lines | undefined, each) => nodeLines(each, printers, lines),
        input,
      );
    case "Subshell":
    case "BraceGroup":
      return sequence(node.body.commands, printers, input);
    case "CompoundList":
      return sequence(node.commands, printers, input);
    case "Command":
      return simple(node, printers, input);
    default:
      return undefined;
  }
}

function simple(node: Command, printers: Printers, input: Lines | undefined): Lines | undefined {
  const parts = [...node.prefix, ...node.suffix];
  const redirects = parts.filter((part) => part.type !== "Word" && part.type !== "Assignment");
  const isFed = redirects.some(({ operator }) => operator.startsWith("<"));
  return led(redirects, () => commandLines(node, printers, isFed ? undefined : input));
}

function commandLines(
  { name, args }: Command,
  printers: Printers,
  input: Lines | undefined,
): Lines | undefined {
  if (name === undefined) return NOTHING;
  const { programs, functions, depth = 0 } = printers;
  const [first = UNKNOWN, ...others] = [name, ...args.filter((word) => word.type === "Word")]
    .map((word) => textOf(word, printers));
  if (SILENT.test(first) && !functions.has(first)) return NOTHING;
  const body = functions.get(first);
  if (body !== undefined) {
    return depth < DEEPEST ? nodeLines(body, { ...printers, depth: depth + 1 }, input) : undefined;
  }
  const words = [first, ...others];
  const found = programs.find(words);
  if (found === undefined) return undefined;
  const parsed = parseOptions(found.words, { spec: found.spec });
  return printedLines({ ...found, spelling: first, parsed, input }) ??
    foundLines(found.name, found.words, parsed);
}

function textOf(word: Word, printers: Printers): string {
  const { parts = [], value } = word;
  const expands = parts.some(({ type }) => /Expan|ProcessSubstitution/.test(type)) ||
    parts.some((part) =>
      part.type === "DoubleQuoted" && part.parts.length > 0 && /[$`]/.test(part.text)
    );
  if (!expands) return value;
  if (isNumeric(word, printers)) return NUMBER;
  const isOne = parts.every(({ type, text }) => !/Expan/.test(type) && !/\$@|\[@\]/.test(text));
  return isOne ? UNKNOWN : UNKNOWN_WORDS;
}

/** What is left of an output where redirections lead it. */
function led(
  redirects: readonly Redirection[],
  lines: () => Lines | undefined,
): Lines | undefined {
  let output = true;
  let errors = false;
  for (const redirect of redirects) {
    const { operator, descriptor } = redirect;
    if (operator.startsWith("<") && operator !== "<>") continue;
    const target = redirect.type === "Redirect" ? redirect.target : undefined;
    const by = descriptor?.type === "FileDescriptor" ? descriptor.value : descriptor && -1;
    const to = target?.value ?? "";
    const isFile = FILE.test(to) && target?.parts === undefined;
    if (operator === ">&" && /^[12]$/.test(to)) {
      const leads: boolean = to === "1" ? output : errors;
      if (by === 2) errors = leads;
      else if (by === 1 || by === undefined) output = leads;
      else return undefined;
    } else if (/^&>/.test(operator) && isFile) output = errors = false;
    else if (/^>[>|]?$/.test(operator) && (by === undefined || by === 1) && isFile) output = false;
    else if (/^>[>|]?$/.test(operator) && by === 2 && isFile) errors = false;
    else return undefined;
  }
  if (errors) return undefined;
  return output ? lines() : NOTHING;
}

const INTEGER = /^[-+]?\d+$/;

/** Whether a word is a number, whatever happens. */
export function isNumeric(
  { value, parts }: Pick<Word, "value" | "parts">,
  printers: Printers,
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
      return /^\$(?:[#?$!]|S?RANDOM|(?:EPOCH)?SECONDS|EPOCHREALTIME|LINENO|BASHPID|PPID|E?UID)$/
        .test(only.text);
    case "ParameterExpansion":
      return only.prefix === "#";
    case "CommandExpansion":
      return areNumbers(linesOf(only.script, printers));
    default:
      return false;
  }
}
