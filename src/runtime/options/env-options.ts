import * as v from "valibot";
import { type ChooseEnv, defaultEnvPolicy } from "../../env/construct.ts";
import type { EnvPolicy } from "../../env/env-policy.ts";
import { checkFields } from "../../value/check-fields.ts";

const variables = v.optional(v.array(v.string()));

/** A policy, as far as a schema tells. */
export const envPolicy: v.GenericSchema = v.strictObject({
  inherit: v.optional(v.picklist(["all", "core", "none"])),
  keepSecrets: v.optional(v.boolean()),
  exclude: variables,
  profile: v.optional(v.picklist(["non-interactive", "none"])),
  set: v.optional(v.record(
    v.pipe(v.string(), v.regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "it is no name of a variable")),
    v.string(),
  )),
  includeOnly: variables,
  allowDangerous: variables,
});

/** @throws {TypeError} With the name of a variable that no process can have; its value may be a secret. */
export function checkNoNul({ set = {} }: EnvPolicy, cannot: string): void {
  const name = Object.keys(set).find((name) => set[name]?.includes("\0"));
  if (name !== undefined) throw new TypeError(`${cannot} env.set.${name}: its value contains NUL`);
}

/** A promise has no fields, and would be a policy that says nothing. */
const noPromise = v.check((value) => !(value instanceof Promise), "it must not be a promise");
const answer = v.strictObject({ env: v.pipe(v.unknown(), noPromise, envPolicy) });

/** The same choice of variables, each answer checked. */
export function checkedEnv(choose: ChooseEnv): ChooseEnv {
  return (origin, facts) => {
    const env = choose(origin, facts);
    checkFields(answer, { env }, "Cannot use");
    checkNoNul(env, "Cannot use");
    return env;
  };
}

/** One policy for all commands; what it does not say of `inherit` depends on the origin, as without it. */
export function envByOrigin(env: EnvPolicy): ChooseEnv {
  const policies = {
    model: { ...defaultEnvPolicy("model"), ...env },
    user: { ...defaultEnvPolicy("user"), ...env },
  };
  return (origin) => policies[origin];
}
