import { type Command, Option } from "commander";
import { defined } from "../../value/defined.ts";
import type { RunOptions } from "../../runtime/call/request.ts";
import { seconds, sessionName, variable } from "../option-values.ts";
import { policyOf, type RuleOptions, withRules } from "../rules.ts";
import { type SandboxCommandOptions, withSandbox } from "../sandbox.ts";
import { type SurroundingsOptions, withSurroundings } from "../surroundings.ts";

const FORMATS = ["text", "json", "stream-json"] as const;

/** What `shellflow run` was given. */
export interface RunCommandOptions extends RuleOptions, SandboxCommandOptions, SurroundingsOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeout?: number;
  readonly idleTimeout?: number;
  readonly log?: string;
  readonly detach?: boolean;
  readonly pty?: boolean;
  readonly input?: boolean;
  readonly split?: boolean;
  readonly session?: string;
  /** `true`: the one that was used last. */
  readonly resume?: string | true;
  readonly continue?: boolean;
  readonly idle?: number;
  readonly outputFormat: typeof FORMATS[number];
  readonly includePartial?: boolean;
  readonly verbose?: boolean;
}

export function withRunOptions(command: Command): Command {
  withSurroundings(command, ["session", "continue", "resume"]);
  return withRules(withSandbox(
    command
      .addOption(
        new Option("--output-format <format>", "text as it comes, or JSON")
          .choices(FORMATS).default("text"),
      )
      .addOption(
        new Option("--include-partial", "with stream-json: also its output as text, as it comes")
          .conflicts(["session", "continue", "resume"]),
      )
      .option("--verbose", "print on standard error what is decided and done")
      .option("--timeout <seconds>", "end it after this time; 0 means never", seconds)
      .option("--idle-timeout <seconds>", "end it after such a silence; 0 means never", seconds)
      .option("--cwd <directory>", "where to run it")
      .option("--env <name=value>", "a variable for the command; may be repeated", variable)
      .option("--log <directory>", "record what happens there, for replay")
      .option("--detach", "start it on its own, with its output in a file; it needs --log")
      .addOption(
        new Option("--pty", "on a terminal: yours, or one of 200 x 50 where you have none")
          .conflicts(["detach", "session", "continue", "resume"]),
      )
      .addOption(
        new Option("--input", "give it the standard input")
          .conflicts(["detach", "session", "continue", "resume"]),
      )
      .addOption(
        new Option("--split", "its standard error on yours, and apart in JSON")
          .conflicts(["detach", "pty", "session", "continue", "resume"]),
      )
      .option(
        "--session <name>",
        "in a shell of that name, which stays for later calls",
        sessionName,
      )
      .option("--continue", "in the session that was used last")
      .addOption(
        new Option(
          "--resume [name]",
          "in a session that there was, where it last stood; without a name, the one used last",
        ).argParser(sessionName),
      )
      .option("--idle <seconds>", "how long the host of new sessions waits for commands", seconds),
    ["detach", "pty", "session", "continue", "resume"],
  ));
}

/**
 * What may run: a command that is typed without any rule about what is allowed is meant to run; what is
 * denied stays denied.
 */
export function policyOfRun(options: RunCommandOptions): ReturnType<typeof policyOf> {
  const policy = policyOf(options);
  const isFree = policy.rules.allow.length + policy.rules.ask.length === 0;
  return isFree && options.permissionMode === undefined ? { ...policy, mode: "bypass" } : policy;
}

/** What the options say about the command itself. */
export function requestOf(
  { env, timeout, idleTimeout, detach, split }: RunCommandOptions,
): Pick<RunOptions, "env" | "timeoutMs" | "idleTimeoutMs" | "detach" | "split"> {
  return {
    ...(detach === true && { detach }),
    ...(split === true && { split }),
    ...defined({
      env,
      timeoutMs: timeout === undefined ? undefined : timeout * 1000,
      idleTimeoutMs: idleTimeout === undefined ? undefined : idleTimeout * 1000,
    }),
  };
}
