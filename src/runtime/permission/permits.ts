import { defined } from "../../event/defined.ts";
import type { CommandId } from "../../event/command.ts";
import type { Asker } from "../../permission/asker.ts";
import type { Mode } from "../../permission/mode.ts";
import type { PermitOptions } from "../../permission/permit.ts";
import { createPolicy, type PolicyRules } from "../../permission/policy.ts";

/** What may run, for one command, instead of what the runtime says about all others. */
export interface Permission {
  /** Default: no rule. What no rule covers is asked about. */
  readonly rules?: PolicyRules;
  /** How what no rule decides is judged; default `default`, which asks. */
  readonly mode?: Mode;
  /** What the command may write to without a question, as an absolute path; default where it runs. */
  readonly workspace?: string;
  /** Names of dangers that are no question, such as `git-push-force`. */
  readonly accept?: readonly string[];
  /** More directories that count as inside the workspace, absolute. */
  readonly directories?: readonly string[];
  /** Answers questions; without it, what would be asked is denied. */
  readonly ask?: Asker;
}

/**
 * Read the rules that come with a command.
 *
 * @param own What the runtime judges other commands by; ids and paths are taken from it.
 * @throws {Error} When a rule cannot be read, with its text.
 */
export function permitOptions(
  { rules = {}, mode, workspace, accept, directories: more = [], ask }: Permission,
  own: PermitOptions,
): PermitOptions {
  const policy = createPolicy({
    rules,
    ...defined({ mode, workspace, accept, dangers: own.policy.dangers }),
  });
  // What the runtime holds for every command holds for this one, too.
  const { readFreely, interceptors, ignored } = own.policy;
  const directories = [...own.policy.directories, ...more];
  return {
    policy: { ...policy, directories, readFreely, interceptors, ...(ignored && { ignored }) },
    ...defined({ ids: own.ids, paths: own.paths, asker: ask }),
  };
}

/**
 * Whether a leading `cd` may become the directory that a command runs in: not where a rule speaks of
 * the `cd` itself.
 */
export function mayFoldCd({ policy: { deny, ask } }: PermitOptions, directory: string): boolean {
  return [...deny, ...ask].every((rule) => rule.match(["cd", directory]) === "no");
}

/** Finds the rules by which a command is judged. */
export type PermitOf = (commandId: CommandId) => PermitOptions;
