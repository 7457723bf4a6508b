import { type Command, Option } from "commander";
import type { RuntimeOptions } from "../runtime/options.ts";
import { collect } from "./options.ts";

/** The modes of permission, as the command line names them. */
export const MODES = ["default", "acceptEdits", "plan", "dontAsk", "bypass"] as const;

/** What the options about permission were given. */
export interface RuleOptions {
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
  readonly permissionMode?: typeof MODES[number];
}

/** Add the options about permission. */
export function withRules(command: Command): Command {
  return command
    .option("--allow <rule>", 'let pass what the rule covers, such as "Bash(git diff *)"', collect)
    .option("--ask <rule>", "ask before what the rule covers", collect)
    .option("--deny <rule>", "never run what the rule covers", collect)
    .addOption(
      new Option("--permission-mode <mode>", "how what no rule decides is judged").choices(MODES),
    );
}

/**
 * The rules and the mode that the options stand for.
 *
 * A command that is typed without any rule about what is allowed is meant to run; what is denied
 * stays denied.
 */
export function policyOf(
  { allow, ask, deny, permissionMode }: RuleOptions,
): Required<Pick<RuntimeOptions, "rules" | "mode">> {
  const free = allow === undefined && ask === undefined;
  return {
    rules: { allow: allow ?? [], ask: ask ?? [], deny: deny ?? [] },
    mode: permissionMode ?? (free ? "bypass" : "default"),
  };
}
