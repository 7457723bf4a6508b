import type { Analysis, Danger, SimpleCommand, StartedBy } from "../../event/analysis.ts";
import { OUTPUT_FILE } from "../../platform/file/output-file.ts";
import type { Concern } from "../../event/permission.ts";
import type { Policy } from "../policy.ts";
import { shownWords } from "../words.ts";
import type { Rule } from "./rule.ts";

/** Whether rules or the mode cover a command. */
export interface Coverage {
  /** The rules that cover the command. */
  readonly rules: readonly Rule[];
  /** It is covered without a rule, and covers nothing else. */
  readonly inert?: true;
  /** Why it is a question; empty: it is none. */
  readonly concerns: readonly Concern[];
}

/** Find the rules that cover each command of a line, or why none does. */
export function coverageOf({ commands }: Analysis, policy: Policy): readonly Coverage[] {
  const found: Coverage[] = [];
  const starters = new Map(commands.map(({ startedBy }) => [startedBy?.command, startedBy?.how]));
  const covering = commands.map(({ argv }) => rulesFor(argv, policy));
  const hasCovered = covering.some((rules) => rules.length > 0);
  for (const [index, command] of commands.entries()) {
    const { startedBy, span, program: { dangers = [] } } = command;
    const own = covering[index] ?? [];
    const starter = commands[startedBy?.command ?? -1];
    // An exact rule spells everything that the command hands on; one for a runner covers what it runs.
    const inherited = (found[startedBy?.command ?? -1]?.rules ?? []).filter((rule) =>
      rule.exact || (starter?.program.runs && startedBy?.how !== "text" && !rule.every)
    );
    const rules = [...own, ...inherited];
    const spells = ({ words }: Danger) => (rule: Rule) =>
      rule.exact || (words.length > 0 && words.every((word) => rule.words.includes(word)));
    const free = own.length === 0 &&
      freeOfRules(command, { policy, starts: starters.get(index), hasCovered });
    found.push({
      rules,
      ...(free === "inert" && { inert: true }),
      concerns: [
        ...dangers.filter((danger) =>
          !policy.accept.has(danger.name) && !rules.some(spells(danger))
        )
          .map(({ reason, name }) => ({ reason, span, danger: name })),
        ...(free || rules.length > 0 ? [] : [{ reason: missing(command), span }]),
      ],
    });
  }
  return found;
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
