import type { Analysis, SimpleCommand, StartedBy } from "../../event/analysis.ts";
import { OUTPUT_FILE } from "../../platform/file/output-file.ts";
import type { Concern } from "../../event/permission.ts";
import type { Policy } from "../policy.ts";
import { shownWords } from "../words.ts";
import type { Rule } from "./rule.ts";
import { suggestRule } from "./suggest.ts";

/** What rules and the mode allow of a line. */
interface Allowance {
  /** What is dangerous although a rule covers it. */
  readonly dangers: readonly Concern[];
  /** What no rule covers. */
  readonly uncovered: readonly Concern[];
  readonly rules: readonly string[];
  readonly suggestions: readonly string[];
}

/** Look for rules that cover each command. */
export function allowance({ commands }: Analysis, policy: Policy): Allowance {
  const starters = new Map(commands.map(({ startedBy }) => [startedBy?.command, startedBy?.how]));
  const own = commands.map(({ argv }) => rulesFor(argv, policy));
  const hasCovered = own.some((rules) => rules.length > 0);
  const covering: (readonly Rule[])[] = [];
  for (const [index, { startedBy }] of commands.entries()) {
    const starter = startedBy?.command ?? -1;
    // An exact rule spells everything that the command hands on; one for a runner covers what it runs.
    const inherited = covering[starter]?.filter((rule) =>
      rule.exact ||
      (commands[starter]?.program.runs && startedBy?.how !== "text" && !rule.every)
    );
    covering.push([...own[index] ?? [], ...inherited ?? []]);
  }
  const rules = new Set(covering.flat().map(({ text }) => text));
  const byMode = policy.mode === "plan" || policy.mode === "acceptEdits" || policy.readFreely;
  const alone = rules.size === 0 && !byMode;
  const dangers: Concern[] = [];
  const uncovered: Concern[] = [];
  const suggestions = new Set<string>();
  for (const [index, command] of commands.entries()) {
    const { argv, span, program } = command;
    const covered = covering[index] ?? [];
    const ofRules = program.dangers?.filter(({ words }) =>
      !covered.some((rule) =>
        rule.exact || (words.length > 0 && words.every((word) =>
          rule.words.includes(word)
        ))
      )
    ) ?? [];
    dangers.push(...ofRules.map(({ reason, name }) => ({ reason, span, danger: name })));
    const free = own[index]?.length === 0 &&
      freeOfRules(command, { policy, starts: starters.get(index), hasCovered });
    // What does nothing by itself needs a rule all the same, unless it stands beside what one covers.
    const isMissing = free === "inert" ? alone : !free && covered.length === 0;
    if (isMissing) {
      const reason = free === "inert" ? `no rule covers "${argv[0]}"` : missing(command);
      uncovered.push({ reason, span });
    }
    const suggestion = isMissing ? suggestRule(command, commands) : undefined;
    if (suggestion !== undefined) suggestions.add(suggestion);
  }
  if (alone && commands.every(({ argv }) => argv.length === 0)) {
    const every = policy.allow.find((rule) => rule.every);
    if (every !== undefined) rules.add(every.text);
    else uncovered.push({ reason: "nothing in it that a rule could cover" });
  }
  return { dangers, uncovered, rules: [...rules], suggestions: [...suggestions] };
}

/** The rules that cover some words. */
function rulesFor(argv: SimpleCommand["argv"], { allow }: Policy): readonly Rule[] {
  if (argv.length === 0) return [];
  return allow.filter((rule) => rule.match(argv) === "yes" && !leadsUp(rule, argv));
}

/** Why a command is not covered. */
function missing({ argv, startedBy }: SimpleCommand): string {
  if (startedBy?.how === "reading") return `what "${startedBy.name}" runs is not certain`;
  const started = startedBy?.how === "words" ? `, which "${startedBy.name}" runs` : "";
  return `no rule covers "${shownWords(argv)}"${started}`;
}

/** Whether a path leads out of the directory in which a rule has its `*`. */
function leadsUp({ text }: Rule, argv: SimpleCommand["argv"]): boolean {
  return /\/\*/.test(text) && !text.includes("..") &&
    argv.some((word) => /(?:^|\/)\.\.(?:\/|$)/.test(word ?? ""));
}

interface FreeFacts {
  readonly policy: Policy;
  /** How it starts another command of the line, if it does. */
  readonly starts: StartedBy["how"] | undefined;
  /** A rule covers another command of the line. */
  readonly hasCovered: boolean;
}

/** Whether a command needs no rule; what is inert needs one beside another command's. */
function freeOfRules(
  command: SimpleCommand,
  { policy, starts, hasCovered }: FreeFacts,
): boolean | "inert" {
  const { argv: [name], program, startedBy, redirects } = command;
  const edits = policy.mode === "plan" || policy.mode === "acceptEdits";
  // What a redirection writes is no reading, and more than a builtin does by itself.
  const silent = edits ||
    !redirects.some((each) => writes(each) && !(hasCovered && isOutputFile(each)));
  if (name === undefined) return silent || policy.allow.some((rule) => rule.every);
  // A path is not the program whose name it ends in.
  if (name === null || /[\\/]/.test(name) || startedBy?.how === "reading") return false;
  // The words that it starts have its redirections; what is in a text has not.
  if (program.transparent && starts !== undefined) return starts === "words" || silent;
  if (!silent) return false;
  if (program.reads && (edits || policy.readFreely)) return true;
  if (policy.mode === "acceptEdits" && program.edits) return true;
  const named = policy.allow.length === 0 || policy.allow.some((rule) => rule.program === name);
  return program.inert && !named ? "inert" : false;
}

const OUTPUT = new RegExp(OUTPUT_FILE);

/** Whether a redirection leads to a file that only keeps output. */
function isOutputFile({ target }: SimpleCommand["redirects"][number]): boolean {
  return OUTPUT.test(target ?? "");
}

/** Whether a redirection writes a file. */
function writes({ operator, target = "" }: SimpleCommand["redirects"][number]): boolean {
  return operator.includes(">") && !/^(?:\d+-?|-|\/dev\/(?:null|stdout|stderr|tty))$/.test(target);
}
