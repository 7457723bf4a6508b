import { Command } from "commander";
import { version } from "../platform/version.ts";

type MakeCommand = (exit: (code: number) => void) => Command;

/** How each command is loaded: most of what one needs is of no use to the others, and takes longer than many a run. */
const COMMANDS: Readonly<Record<string, () => Promise<MakeCommand>>> = {
  run: async () => (await import("./run/run.ts")).runCommand,
  ps: async () => (await import("./state/ps.ts")).psCommand,
  stop: async () => (await import("./state/stop.ts")).stopCommand,
  read: async () => (await import("./state/read.ts")).readCommand,
  replay: async () => (await import("./state/replay.ts")).replayCommand,
  check: async () => (await import("./check.ts")).checkCommand,
  serve: async () => (await import("./serve/serve-command.ts")).serveCommand,
  mcp: async () => (await import("./serve/mcp-command.ts")).mcpCommand,
  host: async () => (await import("./session/host.ts")).hostCommand,
};

/** Nobody needs them by hand. */
const HIDDEN: ReadonlySet<string> = new Set(["host"]);

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
  const [wanted = ""] = args;
  // Whoever asks for help, or for what there is not, is told of all.
  const needed = Object.entries(COMMANDS).filter(([name]) => name === wanted);
  for (const [name, load] of needed.length > 0 ? needed : Object.entries(COMMANDS)) {
    const make = await load();
    const command = make((result) => {
      code = result;
    });
    command.exitOverride().configureOutput({ outputError });
    shellflow.addCommand(command, { hidden: HIDDEN.has(name) });
  }
  await shellflow.parseAsync([...args], { from: "user" });
  return code;
}

/** Wrong usage is told like every other error. */
function outputError(text: string, write: (text: string) => void): void {
  write(text.replace(/^error: /, "Cannot use these arguments: "));
}
