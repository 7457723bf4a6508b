import { type Command, InvalidArgumentError, Option } from "commander";
import { defined } from "../../value/defined.ts";
import type { RuntimeOptions } from "../../runtime/options.ts";
import { TOOL_KINDS, type ToolKind, type ToolsOptions } from "../../tool/configuration.ts";
import { checkCwd, list, seconds } from "../option-values.ts";
import { policyOf, type RuleOptions, withInterception, withRules } from "../rules.ts";

/** What a program that serves tools was given. */
export interface ToolCommandOptions extends RuleOptions {
  readonly cwd?: string;
  readonly log?: string;
  readonly owner: string;
  readonly tools?: readonly ToolKind[];
  readonly intercept?: readonly string[];
  readonly timeout?: number;
  readonly wait?: number;
}

/** Add the options of programs that serve tools. */
export function withToolOptions(command: Command): Command {
  return withInterception(withRules(command))
    .option("--cwd <directory>", "where commands run")
    .option("--log <directory>", "record what happens there; it is needed for detached commands")
    .option("--owner <name>", "the owner of the commands", "agent")
    .option("--tools <kinds>", `which of ${TOOL_KINDS.join(",")}; default all that work`, toolKinds)
    .addOption(
      new Option("--timeout <seconds>", "default time limit of a command; 0 means none; else 300")
        .env("SHELLFLOW_TIMEOUT")
        .argParser(seconds),
    )
    .option("--wait <seconds>", "default wait of a call; default 30", seconds);
}

/**
 * How the runtime of these options works: without a rule and a mode, nothing may run.
 *
 * A shell with a name keeps its state only where a call names it.
 */
export async function runtimeOptions(
  { cwd, log, intercept, ...options }: ToolCommandOptions,
): Promise<RuntimeOptions> {
  checkCwd(cwd);
  return {
    ...await policyOf(options),
    mode: options.permissionMode ?? "default",
    ...defined({ intercept: intercept && { tools: intercept }, cwd, log }),
  };
}

/** How the tools of these options work. */
export function toolsOptions({ owner, tools, timeout, wait }: ToolCommandOptions): ToolsOptions {
  return { owner, ...defined({ tools, timeoutSeconds: timeout, initialWaitSeconds: wait }) };
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
