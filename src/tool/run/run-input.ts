import * as v from "valibot";
import type { Suite } from "../configuration.ts";
import { amount, flag, optional, shellId, text } from "../input-fields.ts";

/** The input of the tool that runs a command. */
export interface RunInput {
  readonly command: string;
  readonly description?: string | undefined;
  readonly shellId?: string | undefined;
  readonly mode?: "sync" | "async" | undefined;
  readonly detach?: boolean;
  readonly initial_wait?: number | undefined;
  readonly until?: string | undefined;
  readonly timeout?: number | undefined;
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly pty?: boolean;
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
    shellId: optional(
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
    detach: flag(
      "With async: the process outlives this session, has no timeout by default, and writes to a log file.",
    ),
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
    env: optional("Variables for this command.", v.record(name, v.string())),
    pty: flag("Run it on a terminal and in a shell of its own."),
    input: flag(
      `Keep its standard input open for ${names.write}, in a shell of its own; otherwise that is at its end.`,
    ),
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
