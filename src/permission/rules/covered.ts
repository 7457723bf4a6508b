import type { Analysis, Danger, SimpleCommand } from "../../event/analysis.ts";
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
  const starters = new Set(commands.map(({ startedBy }) => startedBy?.command));
  const ruled = new Set(policy.allow.map(({ program }) => program));
  for (const [index, command] of commands.entries()) {
    const { startedBy, span, program: { dangers = [] } } = command;
    const own = ownCoverage(command, { policy, starts: starters.has(index), ruled });
    const starter = commands[startedBy?.command ?? -1];
    // An exact rule spells everything that the command hands on; one for a runner covers what it runs.
    const inherited = (found[startedBy?.command ?? -1]?.rules ?? []).filter((rule) =>
      rule.exact || (starter?.program.runs && startedBy?.how !== "text" && !rule.every)
    );
    const rules = [...own.rules, ...inherited];
    const covered = own.passes || inherited.length > 0;
    found.push({
      rules,
      ...(own.inert && { inert: true }),
      concerns: [
        ...dangers.filter((danger) => !isAccepted(danger, rules, policy))
          .map(({ reason, name }) => ({ reason, span, danger: name })),
        ...(covered ? [] : [{ reason: missing(command), span }]),
      ],
    });
  }
  return found;
}

/** Why a command is not covered. */
function missing({ argv, startedBy }: SimpleCommand): string {
  if (startedBy?.how === "reading") return `what "${startedBy.name}" runs is not certain`;
  const started = startedBy?.how === "words" ? `, which "${startedBy.name}" runs` : "";
  return `no rule covers "${shownWords(argv)}"${started}`;
}

interface Own {
  readonly rules: readonly Rule[];
  readonly passes: boolean;
  readonly inert?: boolean;
}

interface OwnFacts {
  readonly policy: Policy;
  /** It starts another command of the line. */
  readonly starts: boolean;
  /** The programs that rules name. */
  readonly ruled: ReadonlySet<string | undefined>;
}

function ownCoverage(command: SimpleCommand, { policy, starts, ruled }: OwnFacts): Own {
  const { argv, program, startedBy } = command;
  const [name] = argv;
  const edits = policy.mode === "plan" || policy.mode === "acceptEdits";
  // What a redirection writes is no reading, and more than a builtin does by itself.
  const silent = edits || !command.redirects.some(writes);
  if (name === undefined) {
    return { rules: [], passes: silent || policy.allow.some((rule) => rule.every) };
  }
  const rules = policy.allow.filter((rule) => rule.match(argv) === "yes");
  if (rules.length > 0) return { rules, passes: true };
  const bare = name !== null && !/[\\/]/.test(name) && startedBy?.how !== "reading";
  if (bare && program.transparent && starts) {
    return { rules, passes: true };
  }
  // A path is not the program whose name it ends in.
  if (!silent || !bare) return { rules, passes: false };
  const byMode = program.reads === true && (edits || policy.readFreely);
  if (byMode || (policy.mode === "acceptEdits" && program.edits)) return { rules, passes: true };
  const inert = program.inert === true && !ruled.has(name) && policy.allow.length > 0;
  return { rules, passes: inert, inert };
}

/** Whether a redirection writes a file. */
function writes({ operator, target = "" }: SimpleCommand["redirects"][number]): boolean {
  return operator.includes(">") && !/^(?:\d+-?|-|\/dev\/(?:null|stdout|stderr|tty))$/.test(target);
}

/** Whether a danger is no question: the policy accepts it, or a rule spells it out. */
function isAccepted({ name, words }: Danger, rules: readonly Rule[], policy: Policy): boolean {
  return policy.accept.has(name) ||
    rules.some((rule) =>
      rule.exact || (words.length > 0 && words.every((word) => rule.words.includes(word)))
    );
}
