import { Command, CommanderError } from "commander";
import type { Cli } from "./cli.ts";
import { messageOf } from "../platform/failure.ts";
import { OutputGone, type Stdio } from "../platform/stdio.ts";
import { version } from "../platform/version.ts";

/** The exit code for a failure of ours, as opposed to the command's. */
const FAILED = 1;
/** The exit code for arguments that cannot be used. */
const USAGE = 2;
/** By name: the classes are in what loads with a command. */
const WRONG_USAGE: ReadonlySet<string> = new Set(["UsageError", "RequestError"]);
/** What a shell reports of a program whose reader is gone: 128 + SIGPIPE. */
const BROKEN_PIPE = 141;

/**
 * Run the command line.
 *
 * @param args Without the names of runtime and program.
 * @returns The exit code; an error is printed on standard error.
 */
export async function runCli(args: readonly string[], stdio: Stdio): Promise<number> {
  try {
    return await program(args, stdio);
  } catch (cause) {
    if (cause instanceof OutputGone) return BROKEN_PIPE;
    await stdio.err(`${messageOf(cause)}\n`).catch(() => {});
    return cause instanceof Error && WRONG_USAGE.has(cause.name) ? USAGE : FAILED;
  }
}

type MakeCommand = (cli: Cli) => Command;

/** How each command is loaded: what the others need takes longer to load than many a command runs. */
const COMMANDS: Readonly<Record<string, () => Promise<MakeCommand>>> = {
  run: async () => (await import("./run/run.ts")).runCommand,
  ps: async () => (await import("./state/ps.ts")).psCommand,
  stop: async () => (await import("./state/stop.ts")).stopCommand,
  read: async () => (await import("./state/read.ts")).readCommand,
  replay: async () => (await import("./state/replay.ts")).replayCommand,
  export: async () => (await import("./state/export.ts")).exportCommand,
  inspect: async () => (await import("./inspect/inspect-command.ts")).inspectCommand,
  bench: async () => (await import("./bench/bench-command.ts")).benchCommand,
  check: async () => (await import("./check-command.ts")).checkCommand,
  serve: async () => (await import("./serve/serve-command.ts")).serveCommand,
  worker: async () => (await import("./worker-command.ts")).workerCommand,
  mcp: async () => (await import("./serve/mcp-command.ts")).mcpCommand,
  completions: async () => (await import("./completions.ts")).completionsCommand,
  host: async () => (await import("./session/host-command.ts")).hostCommand,
  "bench-case": async () => (await import("./bench/case-command.ts")).caseCommand,
};

/** Options that need no command. */
const ALONE: ReadonlySet<string> = new Set(["-V", "--version"]);
/** Started by another command only. */
const HIDDEN: ReadonlySet<string> = new Set(["bench-case"]);

/** Do what the arguments say. */
async function program(args: readonly string[], stdio: Stdio): Promise<number> {
  let code = 0;
  const cli: Cli = {
    stdio,
    exit: (result) => {
      code = result;
    },
  };
  // Commander does not wait for what it prints.
  let printed = Promise.resolve();
  const output = {
    writeOut: (text: string) => void (printed = printed.then(() => stdio.out(text))),
    writeErr: (text: string) => void (printed = printed.then(() => stdio.err(text))),
    outputError,
  };
  const shellflow = new Command("shellflow")
    .description("Run shell commands for agents: judged, recorded, and ended when they should be.")
    .version(version())
    .enablePositionalOptions()
    .showHelpAfterError("(--help lists the commands; shellflow run -- COMMAND runs a line)")
    .configureOutput(output)
    .exitOverride();
  const [wanted = ""] = args;
  // Help, completions and unknown names need all of them.
  const needed = Object.entries(COMMANDS)
    .filter(([name]) => name === wanted && name !== "completions");
  const all = ALONE.has(wanted) || needed.length > 0 ? needed : Object.entries(COMMANDS);
  for (const [name, load] of all) {
    const command = (await load())(cli);
    command.exitOverride().configureOutput(output)
      .showHelpAfterError(`(shellflow ${name} --help lists the options)`);
    shellflow.addCommand(command, { hidden: HIDDEN.has(name) });
  }
  try {
    await shellflow.parseAsync([...args], { from: "user" });
  } catch (cause) {
    // Commander has explained by itself what is wrong.
    if (!(cause instanceof CommanderError)) throw cause;
    return cause.exitCode === 0 ? 0 : USAGE;
  } finally {
    await printed;
  }
  return code;
}

/** Wrong usage is worded like every other error. */
function outputError(text: string, write: (text: string) => void): void {
  write(text.replace(/^error: /, "Cannot use these arguments: "));
}
