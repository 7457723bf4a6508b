import { defined } from "../value/defined.ts";
import { ignoredPaths } from "../platform/file/ignored-paths.ts";
import { type InterceptionOptions, type Interceptor, readInterception } from "./interception.ts";
import type { Mode } from "./mode.ts";
import { readRules, type Rule } from "./rules/rule.ts";
import { checkNames } from "./words.ts";

/** Lists of rules such as `Bash(git diff *)`; deny beats ask, ask beats allow. */
export interface PolicyRules {
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}

/** What a policy is made of. */
export interface PolicyOptions {
  readonly rules?: PolicyRules;
  /** Default: `default`. */
  readonly mode?: Mode;
  /** Where commands may read and write, absolute; default: the directory each one runs in. */
  readonly workspace?: string;
  /** Directories that count as inside the workspace, absolute. */
  readonly directories?: readonly string[];
  readonly home?: string;
  /** Names of dangers that are no question, such as `git-push-force`. */
  readonly accept?: readonly string[];
  /** The names of the dangers that there are; default: those of the built-in programs. */
  readonly dangers?: readonly string[];
  /** What is known to only read inside the workspace needs no rule; default `false`. */
  readonly readFreely?: boolean;
  /** Name a tool of the agent in place of a command that it serves better; default: none. */
  readonly intercept?: InterceptionOptions;
  /** Lines of an ignore file as git reads them, from the workspace on: no command may use these paths. */
  readonly ignore?: readonly string[];
}

/** How programs read the words that rules which restrict compare. */
export interface ProgramWords {
  /** Write them by their first names: `pip` for `pip3`, and `npm uninstall` for `npm rm`. */
  spellOut(words: readonly string[]): readonly string[];
  /** The other names of an option of a command, without dashes: `no-verify` for the `n` of `git commit`. */
  otherNames(words: readonly string[], option: string): readonly string[];
  /** Whether the operands of a command are goals, in any order, as those of `make`. */
  takesGoals(words: readonly string[]): boolean;
}

/** Words mean what they spell. */
const LITERAL: ProgramWords = {
  spellOut: (words) => words,
  otherNames: () => [],
  takesGoals: () => false,
};

/** What decides about commands; answers add to the rules that allow. */
export interface Policy extends ProgramWords {
  readonly mode: Mode;
  readonly workspace?: string;
  readonly directories: readonly string[];
  readonly allow: readonly Rule[];
  readonly ask: readonly Rule[];
  readonly deny: readonly Rule[];
  readonly accept: ReadonlySet<string>;
  readonly dangers?: readonly string[];
  readonly readFreely: boolean;
  readonly interceptors: readonly Interceptor[];
  readonly ignored?: (path: string) => boolean;
  /** Allow what a rule covers, from now on. */
  addAllow(rule: string): void;
  /** Whether a question was answered for all that follows. */
  isAnswered(question: string): boolean;
  /** Grant a question from now on: no rule can cover it, as that of a danger. */
  addAnswered(question: string): void;
}

/**
 * Read rules once, for all commands. The names and types of the options were checked before.
 *
 * @param words What rules that restrict mean by their words; default: what they spell.
 * @throws {Error} When a rule or an expression cannot be read, with its text.
 * @throws {TypeError} When there is no danger, or no rule for a tool, of a name that is given.
 */
export function createPolicy(
  options: PolicyOptions = {},
  { spellOut, otherNames, takesGoals }: ProgramWords = LITERAL,
): Policy {
  const { rules = {}, mode = "default", workspace, accept = [], dangers, intercept } = options;
  if (dangers !== undefined) checkNames("accept", accept, dangers);
  const allow = (rules.allow ?? []).flatMap((rule) => readRules(rule));
  const restricting = (list: readonly string[] = []) =>
    list.flatMap((rule) => readRules(rule, spellOut));
  const ignored = ignoredPaths(options.ignore ?? [], workspace);
  // Questions hold values of variables, which an inspection of the policy must not show.
  const answered = new Set<string>();
  return {
    mode,
    ...defined({ workspace, dangers, ignored }),
    directories: options.directories ?? [],
    allow,
    ask: restricting(rules.ask),
    deny: restricting(rules.deny),
    spellOut,
    otherNames,
    takesGoals,
    accept: new Set(accept),
    readFreely: options.readFreely ?? false,
    interceptors: intercept === undefined ? [] : readInterception(intercept),
    addAllow: (rule) => {
      if (!allow.some(({ text }) => text === rule)) allow.push(...readRules(rule));
    },
    isAnswered: (question) => answered.has(question),
    addAnswered: (question) => void answered.add(question),
  };
}
