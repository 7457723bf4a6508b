import { Command, type CommandOptions } from "commander";
import { version } from "../platform/version.ts";
import { checkCommand } from "./check.ts";
import { psCommand } from "./state/ps.ts";
import { readCommand } from "./state/read.ts";
import { replayCommand } from "./state/replay.ts";
import { runCommand } from "./run/run.ts";
import { hostCommand } from "./session/host.ts";
import { stopCommand } from "./state/stop.ts";

type MakeCommand = (exit: (code: number) => void) => Command;

const COMMANDS: readonly MakeCommand[] = [
  runCommand,
  psCommand,
  stopCommand,
  readCommand,
  replayCommand,
  checkCommand,
];

/**
 * Do what the arguments say.
 *
 * @returns The exit code.
 * @throws {CommanderError} When the arguments cannot be used; it has been told on standard error.
 */
export async function program(args: readonly string[]): Promise<number> {
  let code = 0;
  const shellflow = new Command("shellflow")
    .description("Run shell commands for agents: judged, recorded, and ended when they should be.")
    .version(version())
    .enablePositionalOptions()
    .showHelpAfterError("(--help tells the options)")
    .configureOutput({ outputError })
    .exitOverride();
  const add = (make: MakeCommand, options: CommandOptions = {}) => {
    const command = make((result) => {
      code = result;
    });
    shellflow.addCommand(command.exitOverride().configureOutput({ outputError }), options);
  };
  for (const make of COMMANDS) add(make);
  // Nobody needs it by hand, except to stop it.
  add(hostCommand, { hidden: true });
  await shellflow.parseAsync([...args], { from: "user" });
  return code;
}

/** Wrong usage is told like every other error. */
function outputError(text: string, write: (text: string) => void): void {
  write(text.replace(/^error: /, "Cannot use these arguments: "));
}
