import type { ShellState } from "../event/command.ts";
import type { Analysis } from "../event/analysis.ts";
import type { Concern } from "../event/permission.ts";
import { joined } from "../platform/file/lexical-paths.ts";
import type { Paths } from "../platform/file/paths.ts";
import { fetchedConcerns } from "./concerns/fetched.ts";
import { encodedConcerns, remoteConcerns } from "./concerns/remotes.ts";
import { namedByVariables, variableConcerns } from "./concerns/variables.ts";
import { pathConcerns, startConcerns, type Workspace } from "./concerns/workspace.ts";
import { intercepted } from "./interception.ts";
import type { Mode } from "./mode.ts";
import type { Policy } from "./policy.ts";
import { changeConcerns, opaqueConcern } from "./read-only.ts";
import { allowance } from "./rules/covered.ts";
import { askConcerns, findDenied } from "./rules/restricted.ts";
import { passed, stopped, type Verdict } from "./verdict.ts";

/** What a judgement must know besides the analysis and the policy. */
export interface JudgeFacts {
  /** Absolute. */
  readonly cwd: string;
  readonly paths: Paths;
  /** Names of variables that come with the command. */
  readonly env?: readonly string[];
  readonly state?: ShellState;
  /** A person runs it, so no tool of the model is named instead. */
  readonly byUser?: boolean;
}

/**
 * Decide about a command: deny, then ask, then allow.
 *
 * A deny rule looks at everything that could be extracted, whatever else is wrong. What is allowed is
 * covered command by command, known as a whole, and stays in the workspace.
 */
export function judge(analysis: Analysis, policy: Policy, facts: JudgeFacts): Verdict {
  const denied = findDenied(analysis, policy);
  if (denied !== undefined) return stopped("deny", [denied], { rules: [denied.rule] });
  const better = facts.byUser ? undefined : intercepted(analysis, policy.interceptors);
  if (better !== undefined) return stopped("deny", [better], { tool: better.tool });
  if (policy.mode === "bypass") {
    return passed([], ALLOWED_BY.bypass);
  }
  if (policy.mode === "plan") {
    const changes = changeConcerns(analysis);
    const [first] = changes;
    if (first !== undefined) {
      return stopped("deny", changes, { reason: `plan mode only reads: ${first.reason}` });
    }
  }
  const { cwd, paths, env = [], state } = facts;
  const allowed = allowance(analysis, policy);
  // What only reads may not run what a variable names, whatever a rule covers.
  const every = policy.mode !== "plan" && policy.allow.some((rule) => rule.every);
  const root = policy.workspace ?? cwd;
  const workspace = workspaceOf(root, policy, paths);
  const found: readonly Concern[] = [
    ...opaqueConcern(analysis),
    ...askConcerns(analysis, policy),
    ...variableConcerns(analysis, { given: [...env, ...state?.variables ?? []], every, root }),
    ...(state?.modifiers ?? []).map((modifier) => ({ reason: `${modifier} changes what it does` })),
    ...allowed.dangers,
    ...remoteConcerns(analysis),
    ...encodedConcerns(analysis),
    ...fetchedConcerns(analysis),
    ...startConcerns(analysis, cwd, workspace),
    ...pathConcerns({
      ...analysis,
      uses: [...analysis.uses ?? [], ...namedByVariables(analysis, cwd)],
    }, workspace),
    // Last, as it says least: the first reason is what a person reads.
    ...allowed.uncovered,
  ];
  const concerns = found.filter(({ danger }) => danger === undefined || !policy.accept.has(danger));
  if (concerns.length === 0) return passed(allowed.rules, ALLOWED_BY[policy.mode]);
  if (policy.mode === "dontAsk") {
    const reason = `no question is asked in this mode: ${concerns[0]?.reason ?? ""}`;
    return stopped("deny", concerns, { reason });
  }
  return stopped("ask", concerns, { suggestions: allowed.suggestions });
}

/** A directory that is named by a link is inside by its real name as well, which `pwd` and git print. */
function workspaceOf(root: string, policy: Policy, paths: Paths): Workspace {
  const { directories, accept, ignored } = policy;
  const real = (path: string) => joined("/", paths.real(path) ?? path);
  const named = [root, ...directories];
  const below = `${real(root)}/`;
  return {
    roots: [...new Set([...named, ...named.map(real)])],
    paths,
    // Its lines are about the name that the workspace was given.
    ignored: ignored && ((path) =>
      ignored(path) ||
      (path.startsWith(below) && ignored(`${root}/${path.slice(below.length)}`))),
    accept,
  };
}

/** Why a line passes that no rule covers. */
const ALLOWED_BY: Readonly<Record<Mode, string>> = {
  default: "it only reads",
  acceptEdits: "it only reads, or changes files inside the workspace",
  plan: "it only reads",
  dontAsk: "it only reads",
  bypass: "nothing is asked in this mode",
};
