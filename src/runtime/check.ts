import * as v from "valibot";
import { analyse } from "../command/analyse.ts";
import type { Analysis, ShellState, Span } from "../event/command.ts";
import { judge } from "../permission/judge.ts";
import type { Mode } from "../permission/mode.ts";
import { createPolicy } from "../permission/policy.ts";
import { bashGrammar, type Grammar } from "../platform/grammar.ts";
import { type Paths, systemPaths } from "../platform/file/paths.ts";

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
  const policy = createPolicy({
    rules,
    ...(mode !== undefined && { mode }),
    ...(workspace !== undefined && { workspace }),
  });
  const parser = await grammar.warm();
  const known = { ...(home !== undefined && { home }), ...(state !== undefined && { state }) };
  const analysis = analyse(command, { cwd, ...known }, { parser });
  const verdict = judge(analysis, policy, { cwd, paths, ...(state !== undefined && { state }) });
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

const texts = v.optional(v.array(v.string()));
const REQUEST = v.object({
  id: v.optional(v.string()),
  rules: v.optional(v.object({ allow: texts, ask: texts, deny: texts })),
  mode: v.optional(v.picklist(["default", "acceptEdits", "plan", "dontAsk", "bypass"])),
  cwd: v.pipe(v.string(), v.regex(/^(?:\/|[A-Za-z]:)/, "must be absolute")),
  workspace: v.optional(v.pipe(v.string(), v.regex(/^(?:\/|[A-Za-z]:)/, "must be absolute"))),
  home: v.optional(v.string()),
  command: v.string(),
  state: v.optional(
    v.object({
      functions: texts,
      aliases: texts,
      variables: texts,
      programs: texts,
      modifiers: texts,
    }),
  ),
});

/** What cannot be answered, and why. */
export interface CheckFailure {
  readonly id?: string;
  readonly error: string;
}

/** Answer a question that is written as a line of JSON; fields that mean nothing here are passed over. */
export async function checkLine(
  line: string,
  options: CheckOptions = {},
): Promise<CheckAnswer | CheckFailure> {
  let id: string | undefined;
  try {
    const value: unknown = JSON.parse(line);
    id = v.is(v.object({ id: v.string() }), value) ? value.id : undefined;
    const { cwd, command, rules = {}, mode, workspace, home, state = {} } = v.parse(REQUEST, value);
    return await check({
      cwd,
      command,
      rules: lists(rules),
      state: lists(state),
      ...(id !== undefined && { id }),
      ...(mode !== undefined && { mode }),
      ...(workspace !== undefined && { workspace }),
      ...(home !== undefined && { home }),
    }, options);
  } catch (cause) {
    const error = cause instanceof Error ? cause.message : String(cause);
    return {
      ...(id !== undefined && { id }),
      error: `Cannot check "${line.slice(0, 80)}": ${error}`,
    };
  }
}

/** Lists that are not given are left out. */
function lists(
  given: Readonly<Record<string, readonly string[] | undefined>>,
): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, list]) => list === undefined ? [] : [[name, list]]),
  );
}
