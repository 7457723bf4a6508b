import * as v from "valibot";
import { BUILT_IN } from "../../command/program/programs.ts";
import type { Policy, PolicyOptions } from "../../permission/policy.ts";
import { checkFields } from "../../value/check-fields.ts";
import { policyFor } from "./policy-for.ts";
import { policyFields } from "./permission-schema.ts";

const schema = v.strictObject({ ...policyFields, dangers: v.exactOptional(v.array(v.string())) });

/**
 * Read rules once, for all commands.
 *
 * @throws {Error} When a rule or an expression cannot be read, with its text.
 * @throws {TypeError} When an option is not known or cannot be used, with its name and value.
 *
 * @example What a policy decides
 * ```ts
 * import { createPolicy, judgeInput, systemPaths } from "shellflow";
 *
 * const policy = createPolicy({ rules: { allow: ["Bash(npm *)"] } });
 * const facts = { cwd: "/ws", paths: systemPaths };
 * const { decision } = await judgeInput({ text: "npm test\n", foreground: ["sh"] }, policy, facts);
 * if (decision !== "allow") throw new Error("unexpected");
 * ```
 */
export function createPolicy(options: PolicyOptions = {}): Policy {
  checkFields(schema, options, "Cannot create a policy with");
  return policyFor(BUILT_IN, options);
}
