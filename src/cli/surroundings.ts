import { type Command, Option } from "commander";
import { fromCurrentDirectory } from "../platform/environment/environment.ts";
import { defined } from "../value/defined.ts";
import type { RuntimeOptions } from "../runtime/options/options.ts";

/** What the options about what comes before lines were given. */
export interface SurroundingsOptions {
  readonly prefix?: readonly string[];
  readonly bashEnv?: string;
  readonly persistEnv?: string;
}

/** Add the options about what comes before lines. */
export function withSurroundings(command: Command, conflicts: readonly string[] = []): Command {
  const options = [
    new Option("--prefix <words>", 'a program that starts the shell of commands, as "nice -n 5"')
      .argParser((text) => text.trim().split(/\s+/)),
    new Option("--bash-env <file>", "a file that each bash runs before its line"),
    // Node reads an `--env-file` wherever it stands in its arguments.
    new Option("--persist-env <file>", "where commands leave variables for later ones"),
  ];
  for (const option of options) command.addOption(option.conflicts([...conflicts]));
  return command;
}

/** What the options stand for. */
export function surroundings(
  { prefix, bashEnv, persistEnv }: SurroundingsOptions,
): Pick<RuntimeOptions, "prefix" | "bashEnv" | "envFile"> {
  const [bash, left] = [bashEnv, persistEnv].map((file) => file && fromCurrentDirectory(file));
  return defined({ prefix, bashEnv: bash, envFile: left });
}
