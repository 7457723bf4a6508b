import * as v from "valibot";
import type { Suite } from "../configuration.ts";
import { amount, flag, shellId, text } from "../input-fields.ts";

/** The input of the tool that runs a command. */
export interface RunInput {
  /** The command line. */
  readonly command: string;
  /** What it is for; shown in lists and notices. */
  readonly description?: string | undefined;
  /** The shell to run in; default a new one. */
  readonly shellId?: string | undefined;
  /** Wait for its end, or return once it runs; default `sync`. */
  readonly mode?: "sync" | "async" | undefined;
  /** The process outlives the host. */
  readonly detach?: boolean;
  /** How long to wait, in seconds; then it goes on in the background. */
  readonly initial_wait?: number | undefined;
  /** What ends the wait: `exit`, `output`, `input` or a regular expression between slashes. */
  readonly until?: string | undefined;
  /** After so many seconds it is ended; 0: never. */
  readonly timeout?: number | undefined;
  /** Where it runs; default where its shell stands. */
  readonly cwd?: string | undefined;
  /** Variables of this command. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** It has a terminal. */
  readonly pty?: boolean;
  /** Its standard input stays open. */
  readonly input?: boolean;
}

/** The schema of that input, without the fields that nothing serves. */
export function runInput(suite: Suite): v.GenericSchema<unknown, RunInput> {
  const { initialWaitSeconds, maxWaitSeconds, timeoutSeconds, maxTimeoutSeconds } = suite;
  const { capabilities: { terminal, input, detaches }, background, detach, names } = suite;
  const name = v.pipe(
    v.string(),
    v.regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "it is no name of a variable"),
  );
  const schema = v.strictObject({
    command: v.pipe(
      v.string(),
      v.nonEmpty("it is empty"),
      v.description(`The command line, in ${suite.family}.`),
    ),
    description: text("What it is for, in a few words; shown in lists and notices."),
    shellId: text(
      "The shell to run in; commands of one shell run in order. Default a new shell.",
      shellId,
    ),
    mode: v.pipe(
      v.nullish(v.picklist(["sync", "async"])),
      v.description(
        'sync waits for the end; async returns once it runs, or once "until" holds. Default sync.',
      ),
      v.transform((given) => given ?? "sync"),
    ),
    detach: flag("With async: the process outlives this session and writes to a log file."),
    initial_wait: amount(
      `Seconds to wait, 0 to ${maxWaitSeconds}, default ${initialWaitSeconds}; then it goes on in the background.`,
    ),
    until: text(
      `What to wait for: "exit", "output", "input" or a regular expression for a line, such as "/listening on/".`,
    ),
    timeout: amount(
      `Seconds until it is ended, 1 to ${maxTimeoutSeconds}, 0 for none, default ${timeoutSeconds}.`,
    ),
    cwd: text("Where to run it."),
    env: v.pipe(
      v.nullish(v.record(name, v.string())),
      v.description("Variables for this command."),
      v.transform((given) => given ?? undefined),
    ),
    pty: flag("Run it on a terminal of its own."),
    input: flag(`Keep its standard input open for ${names.write}; otherwise that is at its end.`),
  });
  const served = {
    mode: background,
    detach: background && detaches && detach,
    pty: terminal,
    input,
  };
  const fields = ["mode", "detach", "pty", "input"] as const;
  const [first, ...others] = fields.filter((field) => !served[field]);
  return first === undefined ? schema : v.omit(schema, [first, ...others]);
}
