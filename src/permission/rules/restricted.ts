import type { Analysis, SimpleCommand } from "../../event/analysis.ts";
import { defined } from "../../value/defined.ts";
import type { Concern } from "../../event/permission.ts";
import { baseName, isOption, type Words } from "../words.ts";
import type { Policy, ProgramWords } from "../policy.ts";
import { dashed, type Meaning } from "./among.ts";
import type { Match, Rule } from "./rule.ts";
import { UNKNOWN } from "./wildcard.ts";

/** The rules that deny or ask, and what they mean by their words. */
type Restrictions = Pick<Policy, "ask" | "deny" | keyof ProgramWords>;

/**
 * Find the first rule that surely denies something in the line, whatever else is wrong with it; where
 * nothing is asked, also one that could not be compared with all of it.
 */
export function findDenied(
  { commands }: Analysis,
  { deny, mode, ...programs }: Restrictions & Pick<Policy, "mode">,
): Concern & { readonly rule: string } | undefined {
  const cut: string[] = [];
  const matches = matcher(programs, ({ text }) => cut.push(text));
  for (const rule of deny) {
    const { text, every } = rule;
    const command = commands.find((each) => !every && matches(rule, each) === "yes");
    if (!every && command === undefined) continue;
    return { reason: `"${text}" denies it`, rule: text, ...defined({ span: command?.span }) };
  }
  const [first] = cut;
  if (first === undefined || mode !== "bypass") return undefined;
  return { reason: `it has more options and lists than "${first}" is compared with`, rule: first };
}

/** Find what a rule asks about, and what a rule could deny if more were known. */
export function askConcerns(
  analysis: Analysis,
  { ask, deny, ...programs }: Restrictions,
): readonly Concern[] {
  const concerns: Concern[] = [];
  const matches = matcher(programs);
  for (const command of analysis.commands) {
    const { span } = command;
    for (const rule of ask.filter((each) => matches(each, command) !== "no")) {
      concerns.push({ reason: `"${rule.text}" asks`, rule: rule.text, span });
    }
    for (const rule of deny) {
      const named = couldStart(command, rule, programs.spellOut);
      if (!named && matches(rule, command) !== "maybe") continue;
      const what = named && command.argv[0]
        ? `"${baseName(command.argv[0])}" could run`
        : "it could be";
      const reason = `${what} what "${rule.text}" denies`;
      concerns.push({ reason, rule: rule.text, span });
    }
  }
  const every = ask.find((rule) => rule.every);
  if (every !== undefined) concerns.push({ reason: `"${every.text}" asks`, rule: every.text });
  return concerns;
}

/**
 * Whether a command could start a program whose name stands in its words or variables: its own program
 * is not known, or runs others.
 */
function couldStart(
  { argv, assignments, program }: SimpleCommand,
  rule: Rule,
  spellOut: Policy["spellOut"],
): boolean {
  const { program: name, words: [, verb] } = rule;
  if (name === undefined) return false;
  const { known, runs, transparent, arity = 1 } = program;
  // `npm rm` removes a package.
  const from = known && arity > 1 && argv[1] === name ? 2 : 1;
  // What a transparent one starts is judged by itself.
  const words = transparent || (known && !runs) ? [] : argv.slice(from);
  const values = assignments.map(({ value, known = null }) => value ?? known);
  const all = [...values, ...words];
  const at = all.findIndex((word) =>
    names(word, (each) =>
      // `grm` for `rm`, and `git-push` for `git push`.
      each === name || each === `g${name}` ||
      (name === "git" && each.startsWith(verb === undefined ? "git-" : `git-${verb}`)))
  );
  if (at < 0 || verb === undefined || !/^\w[\w:-]*$/.test(verb)) return at >= 0;
  // `npm test` is no `npm publish`, but what follows an `npm` at the end is not known.
  const [, meant] = spellOut(rule.words);
  return all.slice(at).some((word, i, { length }) =>
    word === null || (word.endsWith(name) && (i === length - 1 || /\s/.test(word))) ||
    names(word, (each) => each.startsWith(`${name}-`) || spellOut([name, each])[1] === meant)
  );
}

/** Whether a part of a word is meant, by itself or behind the letters of options. */
function names(word: string | null, isMeant: (part: string) => boolean): boolean {
  const parts = word?.split(/[\s;|&()<>"'`=,{}!:@+%#]+/) ?? [];
  return parts.some((part) =>
    [/^/, /^-\w/, /^-\w\w/].some((option) => isMeant(baseName(part.replace(option, ""))))
  );
}

/** How a rule that denies or asks meets a command: of all its forms the closest match counts. */
function matcher(
  { spellOut, otherNames, takesGoals }: ProgramWords,
  onCut?: (rule: Rule) => void,
): (rule: Rule, command: SimpleCommand) => Match {
  let left = MOST_WORDS;
  // Many rules are compared with each command.
  const meanings = new Map<string, Meaning>();
  const meaningOf = ([name = null, verb = null]: Words): Meaning => {
    const words = [name ?? UNKNOWN, verb ?? UNKNOWN];
    const key = words.join("\0");
    const names = new Map<string, readonly string[]>();
    const meaning = meanings.get(key) ?? {
      inAnyOrder: takesGoals(words),
      namesOf: (option: string) => {
        const found = names.get(option) ?? dashed(option, (each) => otherNames(words, each));
        names.set(option, found);
        return found;
      },
    };
    meanings.set(key, meaning);
    return meaning;
  };
  return (rule, command) => {
    const { whole, short } = formsOf(command, rule);
    const meets = (form: Words): Match => {
      const match = rule.match(form);
      return match === "no" && rule.couldMean(form, meaningOf(form)) ? "maybe" : match;
    };
    const found = whole.map(meets);
    const [program = null] = command.program.as ?? command.argv;
    const inAnyForm = rule.match([program, null]);
    if (inAnyForm !== "no") {
      for (const form of short) {
        left -= form.length;
        found.push(left < 0 ? inAnyForm : meets(spelled(form, spellOut)));
        if (left >= 0) continue;
        onCut?.(rule);
        break;
      }
    }
    return (["yes", "maybe"] as const).find((each) => found.includes(each)) ?? "no";
  };
}

/** The forms of a command that a rule is compared with. */
interface Forms {
  /** As written, with its variables, by the plain name of its program, and as its record knows it. */
  readonly whole: readonly Words[];
  /** Without the options in front of a subcommand, or of the operands that the rule names. */
  readonly short: Iterable<Words>;
}

function formsOf(
  { argv, assignments, program: { as, arity = 1 } }: SimpleCommand,
  { words: named, size }: Pick<Rule, "words" | "size">,
): Forms {
  const [name, ...rest] = argv;
  if (name === undefined) return { whole: [], short: [] };
  const set = assignments.map(({ name, value }) => `${name}=${value ?? UNKNOWN}`);
  const assigned = set.length === 0 ? [] : [[...set, ...argv]];
  const plain = name !== null && /[\\/]/.test(name) ? [[baseName(name), ...rest]] : [];
  const operands = named.some(isOption) ? 0 : size - 1;
  return {
    whole: [...assigned, argv, ...plain, ...as === undefined ? [] : [as]],
    short: shortForms(as ?? argv, Math.max(arity - 1, operands)),
  };
}

function* shortForms(
  [program = null, ...words]: Words,
  most: number,
): Generator<Words, void, undefined> {
  const front = words.slice(0, most + 1);
  if (!front.some((word) => isOption(word) || isAssignment(word) || word?.includes(","))) return;
  for (const each of withoutOptions(words, most)) {
    for (const form of withParts(each, most + 1)) yield [program, ...form];
  }
}

/** A form as its program reads it: what looked like the value of an option in front can be the kind of a subcommand. */
function spelled(form: Words, spellOut: Policy["spellOut"]): Words {
  return spellOut(form.map((word) => word ?? UNKNOWN))
    .map((word) => word === UNKNOWN ? null : word);
}

/**
 * So many words are compared in forms without options; in others the program alone counts as known: their
 * number grows with the square of the words of a command, and each is compared with each rule.
 */
const MOST_WORDS = 50_000;

/** Words without the options and assignments in front of their first ones, of which each option may take the next word. */
function* withoutOptions(words: Words, verbs: number): Generator<Words, void, undefined> {
  const [first, next] = words;
  if (first === undefined || verbs <= 0) {
    yield words;
    // Options alone make no other command of it.
    if (words.length > 0 && words.every(isOption)) yield [];
    return;
  }
  if (isAssignment(first)) return yield* withoutOptions(words.slice(1), verbs);
  if (!isOption(first)) {
    for (const each of withoutOptions(words.slice(1), verbs - 1)) yield [first, ...each];
    return;
  }
  yield* withoutOptions(words.slice(1), verbs);
  if (next !== undefined && !isOption(next)) yield* withoutOptions(words.slice(2), verbs);
}

/** Words, and the same with each part of a list in place of it, where that is one of the first. */
function* withParts(words: Words, first: number): Generator<Words, void, undefined> {
  yield words;
  for (const [at, word] of words.slice(0, first).entries()) {
    if (!word?.includes(",") || isOption(word)) continue;
    for (const part of word.split(",")) yield [...words.slice(0, at), part, ...words.slice(at + 1)];
  }
}

/** A variable among the words, as for `make` and `env`. */
function isAssignment(word: string | null | undefined): boolean {
  return /^[A-Za-z_]\w*=/.test(word ?? "");
}
