import { type Command, InvalidArgumentError, Option } from "commander";
import { environment, fromCurrentDirectory, warn } from "../../platform/environment/environment.ts";
import { bashSnapshot } from "../../platform/environment/bash-snapshot.ts";
import { messageOf } from "../../platform/failure.ts";
import { loginEnvironment } from "../../platform/environment/login-environment.ts";
import { defined } from "../../value/defined.ts";
import type { RuntimeOptions } from "../../runtime/options/options.ts";
import { TOOL_KINDS, type ToolKind, type ToolsOptions } from "../../tool/configuration.ts";
import { list, seconds } from "../option-values.ts";
import { policyOf, type RuleOptions, withAgentRules } from "../rules.ts";
import { surroundings, type SurroundingsOptions } from "../surroundings.ts";
import { withSandbox, withSurroundings } from "../surroundings.ts";

/** What a program that serves tools was given. */
export interface ToolCommandOptions extends RuleOptions, SurroundingsOptions {
  readonly cwd?: string;
  readonly log?: string;
  readonly loginEnv?: boolean;
  readonly bashSnapshot?: boolean;
  readonly onSession?: string;
  readonly owner: string;
  readonly tools?: readonly ToolKind[];
  readonly ruleStore?: string;
  readonly timeout?: number;
  readonly wait?: number;
  readonly shorten?: boolean;
}

export function withToolOptions(command: Command): Command {
  const timeout = new Option(
    "--timeout <seconds>",
    "default time limit of a command; 0 means none; else 300",
  ).argParser(seconds);
  // A variable that is set to nothing counts as unset.
  if (environment()[TIMEOUT] !== "") timeout.env(TIMEOUT);
  return withSurroundings(withSandbox(withAgentRules(command)))
    .option("--rule-store <file>", "where the answer always keeps its rules, for later runs")
    .option("--cwd <directory>", "where commands run")
    .option("--log <directory>", "record what happens there; it is needed for detached commands")
    .option("--login-env", "commands have the variables of your login shell, but for secrets")
    .addOption(
      new Option("--bash-snapshot", "commands have the functions and aliases of your own bash")
        .conflicts("bashEnv"),
    )
    .option(
      "--on-session <line>",
      "run it first in each shell with a name; it is trusted",
      notBlank,
    )
    .option("--owner <name>", "the owner of the commands", notBlank, "agent")
    .option("--tools <kinds>", `which of ${TOOL_KINDS.join(",")}; default all that work`, toolKinds)
    .addOption(timeout)
    .option("--wait <seconds>", "default wait of a call; default 30", seconds)
    .option("--no-shorten", "show each line of progress, and of passed tests");
}

/** Has the default time limit of commands, in seconds. */
const TIMEOUT = "SHELLFLOW_TIMEOUT";

/**
 * How the runtime of these options works: without a rule and a mode, nothing may run.
 *
 * A shell with a name keeps its state only where a call names it.
 */
export async function runtimeOptions(
  { cwd, log, loginEnv, bashSnapshot: snapshot, onSession, ruleStore, ...options }:
    ToolCommandOptions,
): Promise<RuntimeOptions> {
  const hostEnv = loginEnv === true ? await loginEnvironment().catch(ownInstead) : undefined;
  return {
    ...policyOf(options),
    ...surroundings(options),
    // Its PATH takes the place of theirs.
    ...(snapshot && { bashEnv: warned(bashSnapshot(defined({ env: hostEnv }))) }),
    // As in a terminal, but for secrets.
    ...(hostEnv && { env: { inherit: "all" as const } }),
    ...defined({
      onSession: onSession === undefined ? undefined : () => onSession,
      hostEnv,
      ruleStore: ruleStore && fromCurrentDirectory(ruleStore),
      cwd,
      log: log && fromCurrentDirectory(log),
    }),
  };
}

function notBlank(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("It is empty.");
  return text;
}

/** The same promise, which warns where it fails. */
function warned<T>(promise: Promise<T>): Promise<T> {
  promise.catch((cause) => warn(messageOf(cause)));
  return promise;
}

/** Commands that lack some variables are better than none. */
function ownInstead(cause: unknown): undefined {
  warn(`${messageOf(cause)}; commands have the variables of this process`);
}

/** How the tools of these options work. */
export function toolsOptions(
  { owner, tools, timeout, wait, shorten }: ToolCommandOptions,
): ToolsOptions {
  const seconds = { timeoutSeconds: timeout, initialWaitSeconds: wait };
  return { owner, ...defined({ tools, shorten, ...seconds }) };
}

function toolKinds(text: string): readonly ToolKind[] {
  return list(text).map((word) => {
    const kind = TOOL_KINDS.find((kind) => kind === word);
    if (kind === undefined) {
      throw new InvalidArgumentError(`"${word}" is none of ${TOOL_KINDS.join(", ")}.`);
    }
    return kind;
  });
}
