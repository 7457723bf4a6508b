import { defined } from "../../value/defined.ts";
import type { Asker } from "../../permission/asker.ts";
import type { Mode } from "../../permission/mode.ts";
import type { PermitOptions } from "../../permission/permit.ts";
import { createPolicy, type PolicyRules } from "../../permission/policy.ts";

/** What may run, for one command, instead of what the runtime allows others. */
export interface Permission {
  /** Rules for it; default: none that allows. Those of the runtime that deny or ask hold as well. */
  readonly rules?: PolicyRules;
  /** How what no rule decides is judged; default `default`, which asks. */
  readonly mode?: Mode;
  /** What the command may write to without a question, as an absolute path; default where it runs. */
  readonly workspace?: string;
  /** Names of dangers that are no question, such as `git-push-force`; default: none. */
  readonly accept?: readonly string[];
  /** More directories that count as inside the workspace, absolute. */
  readonly directories?: readonly string[];
  /**
   * Answers questions, for this command alone; default: what answers those of the runtime. `none`:
   * there is no one to ask, so that what would be a question is denied.
   */
  readonly ask?: Asker | "none";
}

/**
 * Read the rules that come with a command.
 *
 * @param own What the runtime judges other commands by: what it restricts is restricted here, too.
 * @throws {Error} When a rule cannot be read, with its text.
 */
export function permitOptions(
  { rules = {}, mode, workspace, accept, directories = [], ask }: Permission,
  own: PermitOptions,
): PermitOptions {
  const { dangers, ignored, readFreely, interceptors, isAnswered, addAnswered } = own.policy;
  const options = { rules, ...defined({ mode, workspace, accept, dangers }) };
  const given = createPolicy(options, own.policy);
  const policy = {
    ...given,
    ...defined({ ignored }),
    deny: [...own.policy.deny, ...given.deny],
    ask: [...own.policy.ask, ...given.ask],
    directories: [...own.policy.directories, ...directories],
    readFreely,
    interceptors,
  };
  if (ask !== undefined) {
    const asker = ask === "none" ? undefined : ask;
    return { policy, ...defined({ ids: own.ids, paths: own.paths, asker }) };
  }
  // What the runtime's own asker has answered holds for the line, whatever that is judged by.
  return { ...own, policy: { ...policy, isAnswered, addAnswered } };
}

/**
 * Whether a leading `cd` may become the directory that a command runs in: not where a rule speaks of
 * the `cd` itself.
 */
export function mayFoldCd({ policy: { deny, ask } }: PermitOptions, directory: string): boolean {
  return [...deny, ...ask].every((rule) => rule.match(["cd", directory]) === "no");
}
