import { Command } from "commander";
import type { Cli } from "../cli.ts";
import { messageOf } from "../../platform/failure.ts";
import { UsageError } from "../option-values.ts";
import { sessionRequest } from "../session/session-request.ts";
import { type RunCommandOptions, withRunOptions } from "./run-options.ts";

/** `shellflow run`: one command, from the rules to its exit code. */
export function runCommand(cli: Cli): Command {
  const command = new Command("run")
    .description("Run a command and exit with its code.")
    .usage("[options] -- COMMAND")
    .argument("<command...>", "the command line, in bash; several words are joined by blanks")
    .passThroughOptions();
  return withRunOptions(command).action(async (words: string[], options: RunCommandOptions) => {
    const line = words.join(" ");
    try {
      cli.exit(await run(line, options, cli));
    } catch (cause) {
      // A program that reads JSON gets an object, as for a denial.
      const answer = { command: line, error: messageOf(cause) };
      if (options.outputFormat !== "text") await cli.stdio.out(`${JSON.stringify(answer)}\n`);
      throw cause;
    }
  });
}

async function run(line: string, options: RunCommandOptions, cli: Cli): Promise<number> {
  const session = sessionRequest(options);
  if (options.detach && options.log === undefined && session === undefined) {
    throw new UsageError(`Cannot detach "${line}": it needs --log DIRECTORY`);
  }
  if (options.includePartial && options.outputFormat !== "stream-json") {
    throw new UsageError(
      `Cannot use --include-partial with --output-format ${options.outputFormat}: ` +
        "it is for stream-json",
    );
  }
  if (cli.stdio.connected && (session !== undefined || options.detach)) {
    const [what, option] = session === undefined
      ? ["detached command", "--detach"]
      : ["command of a session", "--session, --continue or --resume"];
    await cli.stdio.err(
      `Standard input is not passed on: a ${what} has none. ` +
        `Run it without ${option}, or name a file in its line\n`,
    );
  }
  // The runtime is not loaded for a command that a host runs.
  if (session === undefined) {
    const { runHere } = await import("./run-here.ts");
    return await runHere(line, options, cli);
  }
  const { runInSession } = await import("../session/run-in-session.ts");
  return await runInSession(line, session, { ...options, ...cli });
}
