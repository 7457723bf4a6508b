import { type Command, InvalidArgumentError, Option } from "commander";
import { defined } from "../value/defined.ts";
import type { RuntimeOptions } from "../runtime/options/options.ts";

/** What the options about what comes before commands were given. */
export interface SurroundingsOptions {
  readonly prefix?: readonly string[];
  readonly bashEnv?: string;
  readonly persistEnv?: string;
}

/** Add the options about what comes before commands. */
export function withSurroundings(command: Command, conflicts: readonly string[] = []): Command {
  const options = [
    new Option("--prefix <words>", 'a program that starts the shell of commands, as "nice -n 5"')
      .argParser(words),
    new Option("--bash-env <file>", "a file that each bash runs before its line"),
    // Node reads an `--env-file` wherever it stands in its arguments.
    new Option("--persist-env <file>", "where commands leave variables for later ones"),
  ];
  return options.reduce(
    (all, option) => all.addOption(option.conflicts([...conflicts])),
    command,
  );
}

/** What the options stand for. */
export function surroundings(
  { prefix, bashEnv, persistEnv }: SurroundingsOptions,
): Pick<RuntimeOptions, "prefix" | "bashEnv" | "envFile"> {
  return defined({ prefix, bashEnv, envFile: persistEnv });
}

function words(text: string): readonly string[] {
  const found = text.split(/\s+/).filter((word) => word !== "");
  if (found.length === 0) throw new InvalidArgumentError("It has no word.");
  return found;
}
