import { couldMean, type Meaning } from "./among.ts";
import { ANY, BETWEEN, couldFit, fits, subject } from "./wildcard.ts";
import type { Words } from "../words.ts";

/** How a rule and a command meet: `maybe` when words known only at run time decide. */
export type Match = "yes" | "maybe" | "no";

/** A rule, read once. */
export interface Rule {
  /** As it was written. */
  readonly text: string;
  /** It names the tool without a pattern, so it is about every command. */
  readonly every: boolean;
  /** It has no wildcard. */
  readonly exact: boolean;
  /** The words that it spells without a wildcard. */
  readonly words: readonly string[];
  /** How many words its pattern has in front of a `*` of its own. */
  readonly size: number;
  /** The program that it names; absent: a wildcard stands there. */
  readonly program?: string;
  /** Whether it covers a command's words. */
  match(words: Words): Match;
  /** Whether a command could mean the same in other words; not where it is exact. */
  couldMean(words: Words, meaning: Meaning): boolean;
}

/** Says which words a program reads in place of some. */
type SpellOut = (words: readonly string[]) => readonly string[];

/** The name that means a shell command in a rule. */
const TOOL = "Bash";
/** No tool of an agent: a program's name, or "Bash" written wrongly. */
const NO_TOOL = /^(?:(?!mcp__)[a-z]|B[A-Za-z]{1,4}$|Shell$|SHELL$)/;

/**
 * Read a rule such as `Bash(git diff *)`, `Bash`, or several of them separated by commas.
 *
 * A blank and a `*` at the end, or `:*`, cover any further words or none; any other `*` covers any run
 * of characters within one simple command. Words are compared after quote removal.
 *
 * @param spellOut What other words the rule is about, too, as programs read its own.
 * @returns One rule for each part about shell commands; parts about other tools, whose names begin with
 *   a capital or with `mcp__`, are left out.
 * @throws If it is no rule, with its text.
 */
export function readRules(text: string, spellOut?: SpellOut): readonly Rule[] {
  return parts(text).flatMap((part) => {
    const match = /^([A-Za-z_][\w.-]*)(?:\(([^]*)\))?$/.exec(part);
    if (match === null) {
      const meant = /[()]/.test(part) ? "" : `; write ${TOOL}(${part.trim()})`;
      throw new RuleError(text, `it is neither a tool's name nor a name with a pattern${meant}`);
    }
    const [, tool = "", pattern] = match;
    if (tool !== TOOL) {
      if (!NO_TOOL.test(tool)) return [];
      const meant = /^(?:B[A-Za-z]*|bash|shell)$|^S/.test(tool) ? pattern ?? "*" : `${tool} *`;
      throw new RuleError(text, `"${tool}" is no tool; write ${TOOL}(${meant})`);
    }
    const trimmed = pattern?.trim() ?? "*";
    if (trimmed === "") throw new RuleError(text, "its pattern is empty");
    if (!/^:?\*$/.test(trimmed)) return [patternRule(text, trimmed, spellOut)];
    return [{
      text,
      every: true,
      exact: false,
      words: [],
      size: 0,
      match: () => "yes" as const,
      couldMean: () => false,
    }];
  });
}

/** A text that is no rule. */
class RuleError extends Error {
  /** What is wrong with it. */
  readonly why: string;

  constructor(text: string, why: string) {
    super(`Cannot read the rule "${text}": ${why}`);
    this.why = why;
  }
}

/** What is wrong with a text that is to be a rule; `undefined`: nothing. */
export function problemOf(text: string): string | undefined {
  try {
    readRules(text);
    return undefined;
  } catch (cause) {
    if (cause instanceof RuleError) return cause.why;
    throw cause;
  }
}

/** Split at the commas outside parentheses and quotes. */
function parts(text: string): readonly string[] {
  const found: string[] = [];
  let depth = 0;
  let from = 0;
  const last = text.lastIndexOf(")");
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === "(") depth++;
    else if (char === ")") depth = Math.max(0, depth - 1);
    else if (char === "," && (depth === 0 || at > last)) {
      found.push(text.slice(from, at));
      from = at + 1;
    }
  }
  found.push(text.slice(from));
  const trimmed = found.map((part) => part.trim());
  if (trimmed.some((part) => part === "")) {
    throw new RuleError(text, "a part between its commas is empty");
  }
  return trimmed;
}

function patternRule(text: string, pattern: string, spellOut?: SpellOut): Rule {
  const open = /[\s:]\*$/.test(pattern);
  const words = tokens(text, open ? pattern.slice(0, -2) : pattern);
  if (words.length === 0) throw new RuleError(text, "its pattern is empty");
  const meant = [words, spellOut?.(words) ?? words];
  const plain = [...new Set(meant.map((each) => each.join(BETWEEN)))];
  const means = meant.map(couldMean);
  const wild = words.findIndex((word) => word.includes(ANY));
  const patterns = open ? plain.flatMap((each) => [each, each + BETWEEN + ANY]) : plain;
  return {
    text,
    every: false,
    exact: !open && wild === -1,
    words: words.filter((word) => !word.includes(ANY)),
    size: words.length,
    ...(wild !== 0 && words[0] !== undefined && { program: words[0] }),
    match: (command) => {
      const whole = subject(command);
      if (patterns.some((each) => fits(each, whole))) return "yes";
      return patterns.some((each) => couldFit(each, whole)) ? "maybe" : "no";
    },
    couldMean: (command, meaning) =>
      (open || wild !== -1) && means.some((each) => each(command, meaning)),
  };
}

/** Split a pattern into words and remove its quotes, as the shell does; `*` stays a wildcard. */
export function tokens(text: string, pattern: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] ?? "";
    if (quote === "" && /\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    word ??= "";
    if (char === quote) quote = "";
    else if (quote === "" && (char === "'" || char === '"')) quote = char;
    else if (char === "\\" && quote !== "'" && at + 1 < pattern.length) {
      const next = pattern[++at] ?? "";
      word += quote === '"' && !/[$`"\\*]/.test(next) ? `\\${next}` : next;
    } else if (char === "*") word += ANY;
    else word += char;
  }
  if (quote !== "") throw new RuleError(text, "a quote in it is not closed");
  if (word !== undefined) words.push(word);
  return words;
}
