import * as v from "valibot";
import type { Suite } from "../configuration.ts";
import { shellId, unset } from "./fields.ts";

/** The input of the tool that runs a command. */
export interface RunInput {
  readonly command: string;
  readonly description?: string | null | undefined;
  readonly shellId?: string | null | undefined;
  readonly mode?: "sync" | "async" | null | undefined;
  readonly detach?: boolean | null | undefined;
  readonly initial_wait?: number | null | undefined;
  readonly until?: string | null | undefined;
  readonly timeout?: number | null | undefined;
  readonly cwd?: string | null | undefined;
  readonly env?: Readonly<Record<string, string>> | null | undefined;
  readonly pty?: boolean | null | undefined;
  readonly input?: boolean | null | undefined;
}

/** The schema of that input, without the fields that nothing serves. */
export function runInput(suite: Suite): v.GenericSchema<unknown, RunInput> {
  const { initialWaitSeconds, maxWaitSeconds, timeoutSeconds, maxTimeoutSeconds } = suite;
  const { capabilities: { terminal, input, detaches }, background, detach, names } = suite;
  const seconds = v.nullish(v.pipe(v.number(), v.minValue(0)));
  const schema = v.strictObject({
    command: v.pipe(
      v.string(),
      v.nonEmpty("it is empty"),
      v.description(`The command line, in ${suite.family}.`),
    ),
    description: v.pipe(
      v.nullish(v.string()),
      v.description("What it is for, in a few words; shown in lists and notices."),
    ),
    shellId: v.pipe(
      v.nullish(shellId),
      v.description(
        "The shell to run in; commands of one shell run in order. Default a new shell.",
      ),
    ),
    mode: v.pipe(
      v.nullish(v.picklist(["sync", "async"])),
      v.description(
        'sync waits for the end; async returns once it runs, or once "until" holds. Default sync.',
      ),
    ),
    detach: v.pipe(
      v.nullish(v.boolean()),
      v.description("With async: the process outlives this session and writes to a log file."),
    ),
    initial_wait: v.pipe(
      seconds,
      v.description(
        `Seconds to wait, 0 to ${maxWaitSeconds}, default ${initialWaitSeconds}; then it goes on in the background.`,
      ),
    ),
    until: v.pipe(
      v.nullish(v.string()),
      v.description(
        `What to wait for: "exit", "output", "input" or a regular expression for a line, such as "/listening on/".`,
      ),
    ),
    timeout: v.pipe(
      seconds,
      v.description(
        `Seconds until it is ended, 1 to ${maxTimeoutSeconds}, 0 for none, default ${timeoutSeconds}.`,
      ),
    ),
    cwd: v.pipe(v.nullish(v.string()), v.description("Where to run it.")),
    env: v.pipe(
      v.nullish(
        v.record(
          v.pipe(v.string(), v.regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "it is no name of a variable")),
          v.string(),
        ),
      ),
      v.description("Variables for this command."),
    ),
    pty: v.pipe(v.nullish(v.boolean()), v.description("Run it on a terminal of its own.")),
    input: v.pipe(
      v.nullish(v.boolean()),
      v.description(
        `Keep its standard input open for ${names.write}; otherwise that is at its end.`,
      ),
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

/** {@linkcode RunInput} with blank texts and nulls as absent. */
export interface RunRequest {
  readonly command: string;
  readonly description?: string;
  readonly shellId?: string;
  readonly mode: "sync" | "async";
  readonly detach: boolean;
  readonly initialWait?: number;
  readonly until?: string;
  readonly timeout?: number;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly pty: boolean;
  readonly input: boolean;
}

/** Take blank optional texts and nulls as absent. */
export function runRequest(input: RunInput): RunRequest {
  const { command, mode, initial_wait: initialWait, timeout, env, pty } = input;
  return {
    command,
    mode: mode ?? "sync",
    detach: input.detach === true,
    pty: pty === true,
    input: input.input === true,
    ...unset({ description: input.description, shellId: input.shellId }),
    ...unset({ until: input.until, cwd: input.cwd }),
    ...(initialWait != null && { initialWait }),
    ...(timeout != null && { timeout }),
    ...(env != null && { env }),
  };
}
