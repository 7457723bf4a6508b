import { type Command, Option } from "commander";
import { list } from "./option-values.ts";
import type { RuntimeOptions } from "../runtime/options/options.ts";

const NETWORK = { offline: "none", online: "full" } as const;

/** What the options about the sandbox were given. */
export interface SandboxCommandOptions {
  readonly sandbox?: keyof typeof NETWORK;
  readonly sandboxHosts?: readonly string[];
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

/** What the options stand for. */
export function sandboxOptions(
  { sandbox, sandboxHosts: hosts }: SandboxCommandOptions,
): Pick<RuntimeOptions, "sandbox"> {
  if (hosts !== undefined) return { sandbox: { network: { hosts } } };
  return sandbox === undefined ? {} : { sandbox: { network: NETWORK[sandbox] } };
}
