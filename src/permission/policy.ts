import type { Mode } from "./mode.ts";
import { readRules, type Rule } from "./rules/rule.ts";

/** What a policy is made of. */
export interface PolicyOptions {
  /** Rules such as `Bash(git diff *)`; deny beats ask, ask beats allow. */
  readonly rules?: {
    readonly allow?: readonly string[];
    readonly ask?: readonly string[];
    readonly deny?: readonly string[];
  };
  /** Default: `default`. */
  readonly mode?: Mode;
  /** Where commands may read and write, absolute; default: the directory each one runs in. */
  readonly workspace?: string;
  readonly home?: string;
  /** Names of dangers that an allow rule may cover, such as `sudo`. */
  readonly accept?: readonly string[];
}

/** What decides about commands; answers add to the rules that allow. */
export interface Policy {
  readonly mode: Mode;
  readonly workspace?: string;
  readonly home?: string;
  readonly allow: readonly Rule[];
  readonly ask: readonly Rule[];
  readonly deny: readonly Rule[];
  /** Names of dangers that an allow rule may cover. */
  readonly accept: ReadonlySet<string>;
  /** Let pass what a rule covers, from now on. */
  addAllow(rule: string): void;
}

/**
 * Read rules once, for all commands.
 *
 * @throws If a rule cannot be read, with its text.
 */
export function createPolicy(options: PolicyOptions = {}): Policy {
  const { rules = {}, mode = "default", workspace, home, accept = [] } = options;
  const allow = (rules.allow ?? []).flatMap(readRules);
  return {
    mode,
    ...(workspace !== undefined && { workspace }),
    ...(home !== undefined && { home }),
    allow,
    ask: (rules.ask ?? []).flatMap(readRules),
    deny: (rules.deny ?? []).flatMap(readRules),
    accept: new Set(accept),
    addAllow: (rule) => {
      if (!allow.some(({ text }) => text === rule)) allow.push(...readRules(rule));
    },
  };
}
