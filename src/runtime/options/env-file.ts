import { buildEnvironment, type Variables } from "../../env/build-environment.ts";
import { readEnvFile } from "../../env/env-file.ts";
import type { EnvPolicy } from "../../env/env-policy.ts";
import type { Order } from "../../event/command.ts";
import { EnvValues } from "../../event/env-values.ts";
import { variableConcerns } from "../../permission/concerns/variables.ts";
import { messageOf } from "../../platform/failure.ts";
import { readSmallFile } from "../../platform/file/regular-file.ts";
import { bash } from "../../shell/bash.ts";
import { defined } from "../../value/defined.ts";

/** The variables of a command, its own and those that earlier ones left. */
export type LeftVariables = (own: EnvValues | undefined) => Pick<Order, "env" | "envFileRefused">;

/** More than variables take; what is larger is not read. */
const MOST_BYTES = 32 * 1024;
/** Names of the runtime and its shells, and those that bash lets no one set. */
const NOT_FREE = /^(?:SHELLFLOW_\w*|__sf_\w*|E?UID|PPID|BASH_VERSINFO)$/;

/**
 * Read the file through which commands leave variables for later ones, before each command.
 *
 * Any command may write to it: what would be a question in a line, and what the policy keeps from
 * commands, is not taken.
 */
export function leftVariables(
  path: string,
  { keepSecrets = false, exclude = [] }: EnvPolicy,
): LeftVariables {
  const policy: EnvPolicy = { inherit: "all", profile: "none", keepSecrets, exclude };
  const whyRefused = (name: string, value: string) => {
    if (NOT_FREE.test(name)) return `"${name}" belongs to the shell or the runtime`;
    const sets = [{ name, value, span: { start: 0, end: 0 } }];
    const concerns = variableConcerns({ sets, commands: [] }, {
      given: [name],
      every: false,
      root: "/",
    });
    if (concerns.length > 0) return `"${name}" decides what programs run or read`;
    const dangerous = bash.dangerousVariables;
    const built = buildEnvironment({ base: { [name]: value }, policy, dangerous });
    const [dropped] = built.type === "built" ? built.dropped : [];
    return dropped && `"${name}" is left out of environments: ${dropped.rule}`;
  };
  const read = (): { readonly variables: Variables; readonly refused: readonly string[] } => {
    try {
      return readEnvFile(readSmallFile(path, MOST_BYTES) ?? "", whyRefused);
    } catch (cause) {
      return { variables: {}, refused: [`Cannot read "${path}": ${messageOf(cause)}`] };
    }
  };
  return (own) => {
    const { variables, refused } = read();
    const some = Object.keys(variables).length > 0;
    return defined({
      env: some ? new EnvValues({ ...variables, ...own?.reveal() }) : own,
      envFileRefused: refused.length > 0 ? refused : undefined,
    });
  };
}
