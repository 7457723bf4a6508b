import { type Command, Option } from "commander";
import type { RuntimeOptions } from "../runtime/options/options.ts";

const NETWORK = { offline: "none", online: "full" } as const;

/** What the option about the sandbox was given. */
export interface SandboxCommandOptions {
  readonly sandbox?: keyof typeof NETWORK;
}

/** Add the option about the sandbox. */
export function withSandbox(command: Command, conflicts: readonly string[] = []): Command {
  return command.addOption(
    new Option("--sandbox <how>", "commands write only inside, with a network (online) or without")
      .choices(Object.keys(NETWORK)).conflicts([...conflicts]),
  );
}

/** What the option stands for. */
export function sandboxOptions(
  { sandbox }: SandboxCommandOptions,
): Pick<RuntimeOptions, "sandbox"> {
  return sandbox === undefined ? {} : { sandbox: { network: NETWORK[sandbox] } };
}
