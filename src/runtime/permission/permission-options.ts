import { defined } from "../../value/defined.ts";
import type { Program } from "../../command/program/program-record.ts";
import type { Programs } from "../../command/program/programs.ts";
import type { RuleStore } from "../../permission/asker.ts";
import type { InterceptionOptions } from "../../permission/interception.ts";
import type { Policy, PolicyOptions } from "../../permission/policy.ts";
import { fileRuleStore } from "../../permission/rules/rule-store.ts";
import { temporaryDirectory } from "../../platform/environment/environment.ts";
import { absolutePath } from "../../platform/file/paths.ts";
import { policyFor } from "./policy-for.ts";

/** What may run, beyond rules and mode. */
export interface PermissionOptions {
  /** What is known to only read inside the workspace needs no rule; default `true`. */
  readonly readFreely?: boolean;
  /** Directories that count as inside the workspace, beside the temporary directory. */
  readonly directories?: readonly string[];
  /** Names of dangers that are no question, such as `git-push-force`. */
  readonly accept?: readonly string[];
  /** Records of programs, beside the built-in ones. */
  readonly programs?: readonly Program[];
  /** The file that keeps the rules of the answer `always`; absent: they hold until the runtime closes. */
  readonly ruleStore?: string;
  /** Name a tool of the agent in place of a command that it serves better; default: none. */
  readonly intercept?: InterceptionOptions;
  /** Lines of an ignore file, as git reads them: no command may use these paths. */
  readonly ignore?: readonly string[];
  /** Take a trailing `| head`, `| tail` and a `2>&1` without effect from lines; default `false`, as it changes exit codes. */
  readonly fixUps?: boolean;
}

/**
 * Make the policy of a runtime.
 *
 * @throws {Error} When a rule, an expression or the stored rules cannot be read.
 * @throws {TypeError} When `accept` or `intercept` has a name that is not known.
 */
export function runtimePolicy(
  options: PermissionOptions & Pick<PolicyOptions, "rules" | "mode" | "workspace">,
  { cwd, programs }: { readonly cwd: string; readonly programs: Programs },
): { readonly policy: Policy; readonly store?: RuleStore } {
  const { rules = {}, mode, accept, intercept, ignore, readFreely = true } = options;
  const store = options.ruleStore === undefined
    ? undefined
    : fileRuleStore(absolutePath(cwd, options.ruleStore));
  const policy = policyFor(programs, {
    rules: { ...rules, allow: [...rules.allow ?? [], ...store?.rules ?? []] },
    workspace: absolutePath(cwd, options.workspace ?? "."),
    directories: [
      temporaryDirectory(),
      ...(options.directories ?? []).map((each) => absolutePath(cwd, each)),
    ],
    readFreely,
    ...defined({ mode, accept, intercept, ignore }),
  });
  return { policy, ...defined({ store }) };
}
