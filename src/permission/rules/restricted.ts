import type { Analysis, SimpleCommand } from "../../event/analysis.ts";
import { defined } from "../../value/defined.ts";
import type { Concern } from "../../event/permission.ts";
import { baseName, type Words } from "../words.ts";
import type { Policy } from "../policy.ts";
import type { Match, Rule } from "./rule.ts";
import { UNKNOWN } from "./wildcard.ts";

/** The rules that deny or ask, and what they mean by their words. */
type Restrictions = Pick<Policy, "ask" | "deny" | "spellOut">;

/** Find the first rule that surely denies something in the line, whatever else is wrong with it. */
export function findDenied(
  { commands }: Analysis,
  { deny, spellOut }: Restrictions,
): Concern & { readonly rule: string } | undefined {
  for (const { text, every, ...rule } of deny) {
    const command = commands.find((each) => !every && matches(rule, each, spellOut) === "yes");
    if (!every && command === undefined) continue;
    return { reason: `"${text}" denies it`, rule: text, ...defined({ span: command?.span }) };
  }
  return undefined;
}

/** Find what a rule asks about, and what a rule could deny if more were known. */
export function askConcerns(
  analysis: Analysis,
  { ask, deny, spellOut }: Restrictions,
): readonly Concern[] {
  const concerns: Concern[] = [];
  for (const command of analysis.commands) {
    const { span } = command;
    for (const rule of ask.filter((each) => matches(each, command, spellOut) !== "no")) {
      concerns.push({ reason: `"${rule.text}" asks`, rule: rule.text, span });
    }
    for (const rule of deny) {
      const named = couldStart(command, rule);
      if (!named && matches(rule, command, spellOut) !== "maybe") continue;
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
function couldStart({ argv, assignments, program }: SimpleCommand, rule: Rule): boolean {
  const { program: name, words: [, verb] } = rule;
  if (name === undefined) return false;
  const { known, runs, arity = 1 } = program;
  // `npm rm` removes a package.
  const from = known && arity > 1 && argv[1] === name ? 2 : 1;
  const words = known && !runs ? [] : argv.slice(from);
  const values = assignments.map(({ value, known = null }) => value ?? known);
  return names([...words, ...values], (each) =>
    // `grm` for `rm`, and `git-push` for `git push`.
    each === name || each === `g${name}` ||
    (name === "git" && each.startsWith(verb === undefined ? "git-" : `git-${verb}`)));
}

function names(words: Words, isMeant: (program: string) => boolean): boolean {
  return words.some((word) =>
    word?.split(/[\s;|&()<>"'`=,{}!:@+%#]+/)
      .some((part) => [part, part.replace(/^-\w/, "")].some((each) => isMeant(baseName(each))))
  );
}

/** How a rule that denies or asks meets a command: of all its forms the closest match counts. */
function matches(
  rule: Pick<Rule, "match" | "words">,
  command: SimpleCommand,
  spellOut: Policy["spellOut"],
): Match {
  const found = formsOf(command, rule, spellOut).map((form) => rule.match(form));
  return (["yes", "maybe"] as const).find((each) => found.includes(each)) ?? "no";
}

/**
 * A command as written, with its variables, by the plain name of its program, as its record knows it,
 * and without the options in front of a subcommand, or of the operands that a rule names.
 */
function formsOf(
  { argv, assignments, program: { as, arity = 1 } }: SimpleCommand,
  { words: named }: Pick<Rule, "words">,
  spellOut: Policy["spellOut"],
): readonly Words[] {
  const [name, ...rest] = argv;
  if (name === undefined) return [];
  const set = assignments.map(({ name, value }) => `${name}=${value ?? UNKNOWN}`);
  const whole = set.length === 0 ? [] : [[...set, ...argv]];
  const plain = name !== null && /[\\/]/.test(name) ? [[baseName(name), ...rest]] : [];
  const [program = null, ...words] = as ?? argv;
  const short: Words[] = [];
  const operands = named.some(isOption) ? 0 : named.length - 1;
  const most = Math.max(arity - 1, operands);
  if (words.slice(0, most + 1).some((word) => isOption(word) || word?.includes(","))) {
    for (const each of withoutOptions(words, most)) {
      if (short.length >= Math.min(MOST_FORMS, MOST_WORDS / words.length)) {
        short.push([program, null]);
        break;
      }
      // What looked like the value of an option in front can be the kind of a subcommand.
      const spelled = (form: Words) =>
        spellOut([program, ...form].map((word) => word ?? UNKNOWN))
          .map((word) => word === UNKNOWN ? null : word);
      short.push(...[each, ...ofLists(each.slice(0, most + 1))].map(spelled));
    }
  }
  return [...whole, argv, ...plain, ...as === undefined ? [] : [as], ...short];
}

/**
 * Of a command with more options in front of its subcommand only the program counts as known: their number
 * grows with the square of its words, and each is compared with each rule.
 */
const MOST_FORMS = 500;
/** And so many words in all of them. */
const MOST_WORDS = 20_000;

/** Words without the options in front of their first ones, of which each may take the next word. */
function* withoutOptions(words: Words, verbs: number): Generator<Words, void, undefined> {
  const [first, next] = words;
  if (first === undefined || verbs <= 0) return yield words;
  if (!isOption(first)) {
    for (const each of withoutOptions(words.slice(1), verbs - 1)) yield [first, ...each];
    return;
  }
  yield* withoutOptions(words.slice(1), verbs);
  if (next !== undefined && !isOption(next)) yield* withoutOptions(words.slice(2), verbs);
}

/** Words with each part of a list in place of it. */
function ofLists(words: Words): readonly Words[] {
  return words.flatMap((word, at) =>
    word?.includes(",") && !isOption(word)
      ? word.split(",").map((part) => words.map((other, place) => place === at ? part : other))
      : []
  );
}

function isOption(word: string | null | undefined): boolean {
  return /^[-+]./.test(word ?? "");
}
