import { readFileSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { defined } from "../value/defined.ts";
import type { Mode } from "../permission/mode.ts";
import type { PolicyRules } from "../permission/policy.ts";
import { readRules } from "../permission/rules/rule.ts";
import { readRuleFile } from "../permission/rules/rule-file.ts";
import { messageOf } from "../platform/failure.ts";
import { fromCurrentDirectory } from "../platform/environment/environment.ts";
import { MODES } from "../runtime/permission/permission-schema.ts";
import type { RuntimeOptions } from "../runtime/options/options.ts";
import { collect, list, UsageError } from "./option-values.ts";

/** What the options about permission were given. */
export interface RuleOptions {
  readonly allow?: readonly string[];
  readonly allowedTools?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
  readonly rules?: readonly string[];
  readonly permissionMode?: Mode;
  readonly accept?: readonly string[];
  readonly directory?: readonly string[];
  readonly intercept?: readonly string[];
  readonly ignore?: string;
}

export function withRules(command: Command): Command {
  return command
    .option("--allow <rule>", 'let pass what the rule covers, such as "Bash(git diff *)"', rule)
    .option("--allowed-tools <rules>", "let pass what these cover: Bash(git *),Bash(ls)", rules)
    .option("--ask <rule>", "ask before what the rule covers", rule)
    .option("--deny <rule>", "never run what the rule covers", rule)
    .option("--rules <file>", "read more rules, and tests of them, from a JSON file", collect)
    .addOption(
      new Option("--permission-mode <mode>", "how what no rule decides is judged").choices(MODES),
    )
    .option("--accept <danger>", "the name of a danger that is no question", collect)
    .option("--directory <directory>", "another directory that counts as inside", collect);
}

function rule(text: string, before?: readonly string[]): readonly string[] {
  try {
    readRules(text);
  } catch (cause) {
    throw new InvalidArgumentError(`${messageOf(cause)}.`);
  }
  return collect(text, before);
}

/** Collect rules with commas or blanks between, as Claude Code takes them. */
function rules(text: string, before?: readonly string[]): readonly string[] {
  let depth = 0;
  const list = text.trim().replaceAll(/[()]|[\s,]+/g, (found) => {
    if (found === "(") depth++;
    if (found === ")") depth--;
    return depth === 0 && found !== ")" ? "," : found;
  });
  return rule(list, before);
}

/** Add the options about permission, with those that matter where an agent gives the commands. */
export function withAgentRules(command: Command): Command {
  return withRules(command)
    .option(
      "--intercept <tools>",
      "refuse a command that one of these tools serves better: read,search,find,edit,write",
      list,
    )
    .option("--ignore <file>", "lines as in .gitignore: paths that no command may use");
}

/**
 * What the options stand for.
 *
 * @throws {UsageError} When a file cannot be read.
 */
export function policyOf(
  { permissionMode = "default", accept, directory, intercept, ignore, ...options }: RuleOptions,
):
  & Required<Pick<RuntimeOptions, "mode">>
  & { readonly rules: Required<PolicyRules> }
  & Pick<RuntimeOptions, "accept" | "directories" | "intercept" | "ignore"> {
  return {
    rules: rulesOf(options),
    mode: permissionMode,
    ...defined({
      accept,
      directories: directory?.map(fromCurrentDirectory),
      intercept: intercept && { tools: intercept },
      ignore: ignore === undefined ? undefined : read("ignore file", ignore, linesOf),
    }),
  };
}

function rulesOf(
  { allow = [], allowedTools = [], ask = [], deny = [], rules = [] }: RuleOptions,
): Required<PolicyRules> {
  const files = rules.map((path) => read("rules", path, readRuleFile));
  return {
    allow: [...allow, ...allowedTools, ...files.flatMap((file) => file.allow)],
    ask: [...ask, ...files.flatMap((file) => file.ask)],
    deny: [...deny, ...files.flatMap((file) => file.deny)],
  };
}

const linesOf = (text: string) => text.split(/\r?\n/);

function read<Read>(what: string, path: string, parse: (text: string) => Read): Read {
  try {
    return parse(readFileSync(path, "utf8"));
  } catch (cause) {
    const why = messageOf(cause);
    throw new UsageError(`Cannot read the ${what} "${path}": ${why}`, { cause });
  }
}
