import { analyse } from "../command/analyse.ts";
import type { Analysis, ShellState, Span } from "../event/command.ts";
import { judge } from "../permission/judge.ts";
import { type Mode, Policy } from "../permission/rules/policy.ts";
import { bashGrammar, type Grammar } from "../platform/grammar.ts";
import { type Paths, systemPaths } from "../platform/paths.ts";

/** A question about a command that is not to be run. */
export interface CheckRequest {
  /** Comes back in the answer. */
  readonly id?: string;
  readonly rules?: {
    readonly allow?: readonly string[];
    readonly ask?: readonly string[];
    readonly deny?: readonly string[];
  };
  readonly mode?: Mode;
  /** Absolute. */
  readonly cwd: string;
  /** Default: `cwd`. */
  readonly workspace?: string;
  readonly home?: string;
  readonly command: string;
  readonly state?: ShellState;
}

/** What would be decided. */
export interface CheckAnswer {
  readonly id?: string;
  readonly decision: "allow" | "ask" | "deny";
  readonly rule?: string;
  readonly reason: string;
  readonly span?: Span;
  readonly analysis: Pick<Analysis, "certainty" | "reason" | "span">;
  readonly commands: readonly { readonly argv: readonly (string | null)[] }[];
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly dynamic: boolean;
}

/** The world of a check; default: this machine's. */
export interface CheckOptions {
  readonly grammar?: Grammar;
  readonly paths?: Paths;
}

/** Tell what would be decided about a command; runs nothing. */
export async function check(
  request: CheckRequest,
  { grammar = bashGrammar, paths = systemPaths }: CheckOptions = {},
): Promise<CheckAnswer> {
  const { id, rules = {}, mode, cwd, workspace, home, command, state } = request;
  const policy = new Policy({ ...rules, ...(mode !== undefined && { mode }) });
  const parser = await grammar.warm();
  const known = { ...(home !== undefined && { home }), ...(state !== undefined && { state }) };
  const analysis = analyse(command, { cwd, ...known }, { parser });
  const verdict = judge(analysis, policy, {
    cwd,
    paths,
    ...known,
    ...(workspace !== undefined && { workspace }),
  });
  return {
    ...(id !== undefined && { id }),
    decision: verdict.decision,
    ...(verdict.rule !== undefined && { rule: verdict.rule }),
    reason: verdict.reason,
    ...(verdict.span !== undefined && { span: verdict.span }),
    analysis: {
      certainty: analysis.certainty,
      ...(analysis.reason !== undefined && { reason: analysis.reason }),
      ...(analysis.span !== undefined && { span: analysis.span }),
    },
    commands: analysis.commands.map(({ argv }) => ({ argv })),
    reads: analysis.reads,
    writes: analysis.writes,
    dynamic: analysis.dynamic,
  };
}
