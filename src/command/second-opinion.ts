import { forEachChild, type SyntaxNode } from "unbash";
import type { Analysis, Span } from "../event/analysis.ts";
import { bashGrammar, type CommandFinder, type Grammar } from "../platform/grammar.ts";
import { guessedCommands } from "./guess.ts";
import { BUILT_IN, type Programs } from "./program/programs.ts";
import { readText } from "./syntax.ts";

/** What a second opinion needs. */
export interface SecondOpinionOptions {
  /** Default: tree-sitter's, loaded with the first line that needs it. */
  readonly grammar?: Grammar;
  /** What is known of programs; default: the built-in records. */
  readonly programs?: Programs;
}

/**
 * What hides a command is made of quotes, expansions, comments, groups or here-documents. A line
 * without their characters has one reading.
 */
const PLAIN = /^[\w ./:@%+,=~;&|>-]*$/;

/**
 * Compare an analysis with what another parser finds, which shares no code with the first.
 *
 * Only what the first one lacks counts: a command that only the other one sees makes the line opaque,
 * and is searched for what is denied.
 *
 * @returns A function from a line and its analysis to the same or an opaque one; it promises where
 * the grammar has to be loaded first.
 */
export function secondOpinion(
  { grammar = bashGrammar, programs = BUILT_IN }: SecondOpinionOptions = {},
): (command: string, analysis: Analysis) => Analysis | Promise<Analysis> {
  return (command, analysis) => {
    const texts = [command, ...analysis.texts ?? []].filter((text) => !PLAIN.test(text));
    if (analysis.certainty === "opaque" || texts.length === 0) return analysis;
    const whole = { start: 0, end: command.length };
    const opaque = (reason: string, span = whole): Analysis => {
      return { ...analysis, certainty: "opaque", reason, span };
    };
    const compared = (finder: CommandFinder): Analysis => {
      for (const text of texts) {
        const found = finder.find(text.replace(TIMED, "$1    "));
        if (found === undefined) return opaque("a second parser needs too long for it");
        const listed = listedNames(text);
        const hidden = found.filter(({ name }) => !listed(name));
        const [first] = hidden;
        if (first === undefined) continue;
        const { start, end } = first.name;
        const span = text === command ? { start, end } : whole;
        const guessed = hidden.flatMap((each) =>
          guessedCommands(text.slice(each.start, each.end), span, programs)
        );
        const name = text.slice(start, end);
        const doubted = opaque(`a second parser takes "${name}" for a command`, span);
        return { ...doubted, commands: [...analysis.commands, ...guessed] };
      }
      return analysis;
    };
    if (grammar.loaded !== undefined) return compared(grammar.loaded);
    return grammar.load().then(compared, (cause: unknown) => {
      const why = cause instanceof Error ? cause.message : String(cause);
      return opaque(`no second parser confirms what it runs: ${why}`);
    });
  };
}

/** The other parser does not know `time` before a compound command. */
const TIMED = /(^|[;&|\n]\s*)time(?=\s+(?:for|while|until|if|case|\{)\s)/g;

/** Reserved words: unquoted, none is a program, but the other parser takes one for it behind some lines of assignments. */
const RESERVED = /^(?:case|do|done|elif|else|esac|fi|for|if|then|until|while)$/;
/** What a word goes on behind: no command begins there. */
const IN_WORD = /[\w$.-]$/;
/** Arithmetic that is nothing else: in a here-document the other parser takes it for a subshell. */
const ARITHMETIC = /^\$\(\([\w\s$#+*\/%-]+\)\)$/;

/** Whether a word is the name of a command that the first parser lists. */
function listedNames(text: string): (name: Span) => boolean {
  const starts = new Set<number>();
  const apart: Span[] = [];
  const values: Span[] = [];
  const visit = (node: SyntaxNode): void => {
    if (node.type === "Command" && node.name !== undefined) starts.add(node.name.pos);
    // To the other parser it is a program.
    else if (node.type === "Time") starts.add(node.pos);
    else if (node.type === "ArithmeticExpansion" && ARITHMETIC.test(node.text)) {
      apart.push({ start: node.pos, end: node.end });
    }
    // Behind a variable the other parser takes the rest of a value for a command.
    if (node.type === "Assignment") values.push({ start: node.pos, end: node.end });
    if (!("script" in node) || node.script === undefined) return forEachChild(node, visit);
    // Backticks with escapes are a text of their own, with places of its own.
    if (node.script.source !== undefined) apart.push({ start: node.pos, end: node.end });
    else visit(node.script);
  };
  const { script } = readText(text);
  if (script !== undefined) visit(script);
  const isIn = (regions: readonly Span[], { start, end }: Span) =>
    regions.some((region) => region.start <= start && end <= region.end);
  return (name) =>
    starts.has(name.start) || RESERVED.test(text.slice(name.start, name.end)) ||
    isIn(apart, name) || (isIn(values, name) && IN_WORD.test(text.slice(0, name.start)));
}
