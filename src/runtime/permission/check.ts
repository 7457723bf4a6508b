import * as v from "valibot";
import { defined } from "../../value/defined.ts";
import { analyse } from "../../command/analyse.ts";
import type { Program } from "../../command/program/program-record.ts";
import { BUILT_IN } from "../../command/program/programs.ts";
import { readPrograms } from "../../command/program/user-programs.ts";
import { secondOpinion } from "../../command/second-opinion.ts";
import { SHELL_NAME } from "../../shell/bash.ts";
import type { ShellState } from "../../event/command.ts";
import type { Analysis, Span } from "../../event/analysis.ts";
import type { Concern } from "../../event/permission.ts";
import { judge } from "../../permission/judge.ts";
import { judgeTwice } from "../../permission/judge-twice.ts";
import type { PolicyOptions } from "../../permission/policy.ts";
import { messageOf } from "../../platform/failure.ts";
import { type Paths, systemPaths } from "../../platform/file/paths.ts";
import { clip } from "../../text/clip.ts";
import { checkFields } from "../../value/check-fields.ts";
import { absolute, permissionFields, policyFields } from "./permission-schema.ts";
import { policyFor } from "./policy-for.ts";

/** A question about a command that is not to be run, with all that decides about it. */
export interface CheckRequest extends Omit<PolicyOptions, "dangers"> {
  /** Comes back in the answer. */
  readonly id?: string | number;
  /** Absolute. */
  readonly cwd: string;
  readonly command: string;
  /** Names of variables that come with the command. */
  readonly env?: readonly string[];
  /** What a persistent shell brings with it. */
  readonly state?: ShellState;
  /** Records of programs, beside the built-in ones. */
  readonly programs?: readonly Program[];
  /** Say everything that matters, not the first reason alone; default `false`. */
  readonly explain?: boolean;
}

/** What would be decided. */
export interface CheckAnswer {
  readonly id?: string | number;
  readonly decision: "allow" | "ask" | "deny";
  readonly rule?: string;
  readonly reason: string;
  readonly span?: Span;
  /** The tool that serves it better, where that is why it is denied. */
  readonly tool?: string;
  /** With `explain`: everything that makes it a question, or denies it. */
  readonly concerns?: readonly Concern[];
  /** With `explain`: rules that would cover what no rule covers. */
  readonly suggestions?: readonly string[];
  readonly analysis: Pick<Analysis, "certainty" | "reason" | "span">;
  readonly commands: readonly { readonly argv: readonly (string | null)[] }[];
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly dynamic: boolean;
}

/** The world of a check; default: this machine's. */
export interface CheckOptions {
  readonly paths?: Paths;
}

/**
 * Say what would be decided about a command; runs nothing.
 *
 * Nothing is granted that the request does not name: reading freely and the temporary directory, which
 * a runtime grants, are `readFreely` and `directories` here.
 *
 * @throws {Error} When a rule, an expression or a record cannot be read, with its text.
 * @throws {TypeError} When a field is not known or cannot be used, with its name and value.
 */
export async function check(
  request: CheckRequest,
  { paths = systemPaths }: CheckOptions = {},
): Promise<CheckAnswer> {
  checkFields(schema, request, "Cannot check with");
  const { id, cwd, command, env, state, programs, explain, ...options } = request;
  const known = defined({ programs: programs && readPrograms(programs) });
  const policy = policyFor(known.programs ?? BUILT_IN, options);
  const given = defined({ env, state });
  const workTree = () => paths.workTree?.(cwd);
  const place = (path: string) => paths.place?.(path);
  const facts = {
    cwd,
    self: SHELL_NAME,
    workTree,
    place,
    ...defined({ home: options.home }),
    ...given,
  };
  const first = analyse(command, facts, known);
  const { analysis, verdict } = await judgeTwice({ order: { command }, analysis: first }, {
    policy,
    judge: (each) => judge(each, policy, { cwd, paths, ...given }),
    secondOpinion: secondOpinion(known),
  });
  const { decision, rule, reason, span, tool, concerns, suggestions } = verdict;
  const { certainty, commands, reads, writes, dynamic } = analysis;
  return {
    ...defined({ id }),
    decision,
    ...defined({ rule }),
    reason,
    ...defined({ span, tool }),
    ...(explain && { concerns, suggestions }),
    analysis: { certainty, ...defined({ reason: analysis.reason, span: analysis.span }) },
    commands: commands.filter(({ argv, startedBy }) =>
      argv.length > 0 && (startedBy === undefined || startedBy.how === "text")
    ).map(({ argv }) => ({ argv })),
    reads,
    writes,
    dynamic,
  };
}

const id = v.union([v.string(), v.number()], "it must be a string or a number");
const texts = v.optional(v.array(v.string()));
const schema = v.strictObject({
  ...policyFields,
  id: v.exactOptional(id),
  cwd: absolute,
  command: v.string(),
  programs: permissionFields.programs,
  explain: v.exactOptional(v.boolean()),
  env: v.exactOptional(v.array(v.string())),
  state: v.exactOptional(v.strictObject({
    functions: texts,
    aliases: texts,
    variables: texts,
    programs: texts,
    modifiers: texts,
  })),
});

/** What cannot be answered, and why. */
export interface CheckFailure {
  readonly id?: string | number;
  readonly error: string;
}

/** What the lines of a set of tests say and expect beside their questions; it is left out. */
const NOTES: readonly string[] = ["category", "expect", "why", "reads", "writes", "dynamic"];

function withoutNotes(value: unknown): unknown {
  if (!v.is(v.looseObject({}), value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !NOTES.includes(name)));
}

/** Answer a question that is written as a line of JSON. */
export async function checkLine(
  line: string,
  options: CheckOptions = {},
): Promise<CheckAnswer | CheckFailure> {
  let given: CheckFailure["id"];
  try {
    const value: unknown = JSON.parse(line);
    given = v.is(v.object({ id }), value) ? value.id : undefined;
    // Its fields are looked at there.
    return await check(withoutNotes(value) as CheckRequest, options);
  } catch (cause) {
    return {
      ...defined({ id: given }),
      error: `Cannot check "${clip(line, 80)}": ${messageOf(cause)}`,
    };
  }
}
