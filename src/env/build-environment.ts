import type { DroppedVariable } from "../event/env.ts";
import { firstPattern } from "./name-pattern.ts";
import { CORE_VARIABLES, type EnvPolicy } from "./env-policy.ts";
import { PROFILES } from "./profiles.ts";
import { secretRule } from "./secrets.ts";

/** Values by name. */
export type Variables = Readonly<Record<string, string>>;

/** An environment with what it lacks, or why there can be none. */
export type Environment =
  | {
    readonly type: "built";
    readonly values: Variables;
    readonly dropped: readonly DroppedVariable[];
  }
  | { readonly type: "refused"; readonly reason: string };

/** Patterns of what is taken over from the host. */
const INHERITED = { all: ["*"], core: CORE_VARIABLES, none: [] };

/** Says by which rule a variable is dropped, if by any. */
type Rule = (name: string, value: string) => string | undefined;

/**
 * Build the environment of a command. Pure; no value appears in what it says.
 *
 * The order decides: inherit, leave out secrets, leave out what the policy excludes, set the
 * profile's, the policy's and the command's own, and keep only what the policy includes.
 */
export function buildEnvironment(
  { base, policy, overrides = {}, dangerous = [] }: {
    readonly base: Variables;
    readonly policy: EnvPolicy;
    readonly overrides?: Variables;
    /** Names that change what a line means to the shell; `*` at the end stands for any rest. */
    readonly dangerous?: readonly string[];
  },
): Environment {
  const set = { ...PROFILES[policy.profile ?? "non-interactive"], ...policy.set };
  const { allowDangerous = [] } = policy;
  const danger = Object.keys(overrides)
    .find((name) => isDangerous(name, dangerous) && !allowDangerous.includes(name));
  const reason = refusal({ ...set, ...overrides }) ?? (danger && cannotSet(danger, DANGEROUS));
  if (reason !== undefined) return { type: "refused", reason };

  const dropped = new Map<string, string>();
  const keep = (variables: Variables, rules: readonly Rule[]): [string, string][] =>
    Object.entries(variables).filter(([name, value]) => {
      for (const rule of rules) {
        const by = rule(name, value);
        if (by !== undefined) dropped.set(name, by);
        if (by !== undefined) return false;
      }
      return true;
    });

  const { inherit = "core" } = policy;
  const inherited = keep(base, [
    includeRule(INHERITED[inherit], `inherit ${inherit}`),
    dangerRule(dangerous),
    ...(policy.keepSecrets === true ? [] : [secretRule]),
    excludeRule(policy.exclude ?? [], "exclude"),
  ]);
  const wanted = keep(
    { ...Object.fromEntries(inherited), ...set, ...overrides },
    policy.includeOnly === undefined ? [] : [includeRule(policy.includeOnly, "include only")],
  );
  // Makes own properties of all names, `__proto__` too.
  const values = Object.fromEntries(wanted);
  const names = [...dropped].filter(([name]) => !Object.hasOwn(values, name));
  return { type: "built", values, dropped: names.map(([name, rule]) => ({ name, rule })) };
}

function dangerRule(dangerous: readonly string[]): Rule {
  return (name) => isDangerous(name, dangerous) ? "it changes what a line means" : undefined;
}

function excludeRule(patterns: readonly string[], what: string): Rule {
  const first = firstPattern(patterns);
  return (name) => {
    const pattern = first(name);
    return pattern === undefined ? undefined : `${what} ${pattern}`;
  };
}

function includeRule(patterns: readonly string[], what: string): Rule {
  const first = firstPattern(patterns);
  return (name) => first(name) === undefined ? what : undefined;
}

/** Names that differ in case are different, as in the shell. */
function isDangerous(name: string, dangerous: readonly string[]): boolean {
  return dangerous.some((pattern) =>
    pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern
  );
}

function refusal(variables: Variables): string | undefined {
  for (const [name, value] of Object.entries(variables)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      return cannotSet(name, "a name has letters, digits and _ only, and no digit first");
    }
    if (value.includes("\0")) return cannotSet(name, "its value contains a NUL byte");
  }
  return undefined;
}

const DANGEROUS = "it changes what the line means, and env.allowDangerous does not name it";

function cannotSet(name: string, why: string): string {
  return `Cannot set variable ${JSON.stringify(name)}: ${why}`;
}
