import { type Command, Option } from "commander";
import { fromCurrentDirectory } from "../platform/environment/environment.ts";
import { defined } from "../value/defined.ts";
import type { RuntimeOptions } from "../runtime/options/options.ts";
import { list } from "./option-values.ts";

const NETWORK = { offline: "none", online: "full" } as const;

/** What the options about the sandbox were given. */
export interface SandboxCommandOptions {
  readonly sandbox?: keyof typeof NETWORK;
  readonly sandboxHosts?: readonly string[];
}

/** What the options about the sandbox, and about what comes before lines, were given. */
export interface SurroundingsOptions extends SandboxCommandOptions {
  readonly prefix?: readonly string[];
  readonly bashEnv?: string;
  readonly persistEnv?: string;
}

/** Add the options about the sandbox. */
export function withSandbox(command: Command, conflicts: readonly string[] = []): Command {
  return command.addOption(
    new Option("--sandbox <how>", "commands write only inside, with a network (online) or without")
      .choices(Object.keys(NETWORK)).conflicts([...conflicts]),
  ).addOption(
    new Option("--sandbox-hosts <hosts>", "the same with HTTP to these, such as a.com,*.b.com")
      .argParser(list).conflicts(["sandbox", ...conflicts]),
  );
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

/** What the options about the sandbox stand for. */
export function sandboxOptions(
  { sandbox, sandboxHosts: hosts }: SandboxCommandOptions,
): Pick<RuntimeOptions, "sandbox"> {
  if (hosts !== undefined) return { sandbox: { network: { hosts } } };
  return sandbox === undefined ? {} : { sandbox: { network: NETWORK[sandbox] } };
}

/** What all of these options stand for. */
export function surroundings(
  { prefix, bashEnv, persistEnv, ...sandbox }: SurroundingsOptions,
): Pick<RuntimeOptions, "prefix" | "bashEnv" | "envFile" | "sandbox"> {
  const [bash, left] = [bashEnv, persistEnv].map((file) => file && fromCurrentDirectory(file));
  return { ...sandboxOptions(sandbox), ...defined({ prefix, bashEnv: bash, envFile: left }) };
}
