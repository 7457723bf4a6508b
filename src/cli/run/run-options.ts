import { type Command, Option } from "commander";
import { defined } from "../../value/defined.ts";
import type { RunOptions } from "../../runtime/call/request.ts";
import { seconds, sessionName, variable } from "../option-values.ts";
import { policyOf, type RuleOptions, withRules } from "../rules.ts";
import { type SurroundingsOptions, withSandbox, withSurroundings } from "../surroundings.ts";

const FORMATS = ["text", "json", "stream-json"] as const;

/** What `shellflow run` was given. */
export interface RunCommandOptions extends RuleOptions, SurroundingsOptions {
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

/** Commands of a session are run by its host, in a shell that is there. */
const SESSION = ["session", "continue", "resume"];

export function withRunOptions(command: Command): Command {
  const options = [
    new Option("--output-format <format>", "text as it comes, or JSON")
      .choices(FORMATS).default("text"),
    new Option("--include-partial", "with stream-json: also its output as text, as it comes")
      .conflicts(SESSION),
    new Option("--verbose", "print on standard error what is decided and done"),
    new Option("--timeout <seconds>", "end it after this time; 0 means never").argParser(seconds),
    new Option("--idle-timeout <seconds>", "end it after such a silence; 0 means never")
      .argParser(seconds),
    new Option("--cwd <directory>", "where to run it"),
    new Option("--env <name=value>", "a variable for the command; may be repeated")
      .argParser(variable),
    new Option("--log <directory>", "record what happens there, for replay"),
    new Option("--detach", "start it on its own, with its output in a file; it needs --log"),
    new Option("--pty", "on a terminal: yours, or one of 200 x 50 where you have none")
      .conflicts(["detach", ...SESSION]),
    new Option("--input", "give it the standard input").conflicts(["detach", ...SESSION]),
    new Option("--split", "its standard error on yours, and apart in JSON")
      .conflicts(["detach", "pty", ...SESSION]),
    new Option("--session <name>", "in a shell of that name, which stays for later calls")
      .argParser(sessionName),
    new Option("--continue", "in the session that was used last").conflicts(["session"]),
    new Option(
      "--resume [name]",
      "in a session that there was, where it last stood; without a name, the one used last",
    ).argParser(sessionName).conflicts(["session", "continue"]),
    new Option("--idle <seconds>", "how long the host of new sessions waits for commands")
      .argParser(seconds),
  ];
  for (const option of options) command.addOption(option);
  withSurroundings(command, SESSION);
  return withRules(withSandbox(command, ["detach", "pty", ...SESSION]));
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
