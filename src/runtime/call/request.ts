import * as v from "valibot";
import type { Origin, SessionId, TerminalSetup } from "../../event/command.ts";
import type { ExecutorCapabilities } from "../../execution/executor.ts";
import { shownValue } from "../../value/shown.ts";
import type { Permission } from "../permission/permits.ts";
import { checkFields } from "../../value/check-fields.ts";
import { milliseconds, nonEmpty, sizeFields } from "./fields.ts";
import { permission } from "../permission/permission-schema.ts";

/** How one command is to be run. */
export interface RunOptions {
  /** Where, as an absolute path or one relative to the session's directory; default the session's directory. */
  readonly cwd?: string;
  /** Variables of this command alone. */
  readonly env?: Readonly<Record<string, string>>;
  /** Wall clock from the start, in milliseconds; 0 means none; default that of the runtime. */
  readonly timeoutMs?: number;
  /** What its time does to it: `kill` ends it, `promote` ends the wait alone; default that of the runtime. */
  readonly onTimeout?: "kill" | "promote";
  /** Longest silence, in milliseconds; 0 means none; default that of the runtime. */
  readonly idleTimeoutMs?: number;
  /** The session whose queue it joins, opened when it is new; default a session of its own. */
  readonly sessionId?: SessionId;
  /**
   * The owner of the command, such as one of several agents. Without a `sessionId` it runs in an idle
   * session of this owner in `cwd`, or else of any owner there, with all that its shell holds, or else
   * in a new one, which stays open.
   */
  readonly owner?: string;
  /**
   * What happens when its session is busy: it waits in the `queue`, it gets a session of its own
   * that begins where the busy one stands (`isolate`), or it is rejected; default `queue`.
   */
  readonly overlap?: "queue" | "isolate" | "reject";
  /**
   * What runs it: a `process` of its own, or the `shell` that its session keeps alive; default what
   * the runtime chooses. What pins it to a process wins; `command.admitted` has the reason.
   */
  readonly executor?: "process" | "shell";
  /**
   * Run it on a terminal of its own, of 200 columns and 50 rows or of a size up to 500 x 200; default
   * `false`. It takes input, and its programs may ask a person. With `executor: "shell"` it runs in the
   * session's shell, which then is interactive and has one terminal for all of its commands. Where there
   * are no terminals, it runs without one, after the event `execution.fellBack`: in a process with
   * input, or in the shell without.
   */
  readonly pty?: boolean | TerminalSetup;
  /**
   * Keep its standard input open for {@linkcode Runtime.input}; default `false`: it is at its end.
   * On a terminal it takes input in any case. `inherit` gives it the standard input of this process, of
   * which nothing is recorded or judged, and a process of its own.
   */
  readonly input?: boolean | "inherit";
  /**
   * Keep its standard error apart from its standard output, each on a pipe of its own; default `false`:
   * they are one, in the order in which the command wrote. The output has both in the order in which they
   * came. It has a process of its own, and neither a terminal nor a shell that stays.
   */
  readonly split?: boolean;
  /**
   * The shell that the line is for; default `bash`, or that of the person where `userShell` says so.
   * PowerShell is found in the host's `PATH`; its lines are not analysed, so that each is a question.
   */
  readonly dialect?: "bash" | "powershell";
  /** What it is for, for people. */
  readonly description?: string;
  /** Where it comes from; default `model`. */
  readonly origin?: Origin;
  /** What may run, for this command instead of what the runtime says. */
  readonly permission?: Permission;
  /**
   * Start a process that outlives this one, with its output in a file; the result says that it was
   * started. It needs a runtime with a directory for its log, and has no limits.
   */
  readonly detach?: boolean;
  /**
   * It counts as in the background from the start: its owner gets a notice of its end. `run` and its
   * session wait for it all the same; default `false`.
   */
  readonly background?: boolean;
  /** Whether notices about it are wanted; default `true`. */
  readonly notify?: boolean;
  /**
   * Ends the command when it aborts before the result is there; one that is aborted already never
   * starts. The result comes all the same, and does not have the reason of the signal.
   */
  readonly signal?: AbortSignal;
}

const setup = v.strictObject({ ...sizeFields, passThrough: v.optional(v.literal(true)) });
const onOrOff = v.boolean("it must be true, false or { columns, rows }");

const commandField = v.strictObject({ command: v.string() });

const schema = v.strictObject({
  cwd: v.optional(nonEmpty),
  env: v.optional(v.record(v.string(), v.string())),
  timeoutMs: v.optional(milliseconds),
  onTimeout: v.optional(v.picklist(["kill", "promote"])),
  idleTimeoutMs: v.optional(milliseconds),
  sessionId: v.optional(nonEmpty),
  owner: v.optional(nonEmpty),
  overlap: v.optional(v.picklist(["queue", "isolate", "reject"])),
  executor: v.optional(
    v.picklist(["process", "shell"], 'it must be "process" or "shell"; pty gives a terminal'),
  ),
  pty: v.optional(v.lazy((given) => typeof given === "object" ? setup : onOrOff)),
  input: v.optional(
    v.union(
      [v.boolean(), v.literal("inherit")],
      'it must be true, false or "inherit"; runtime.input(taskId, text, { end: true }) writes text',
    ),
  ),
  split: v.optional(v.boolean()),
  dialect: v.optional(v.picklist(["bash", "powershell"])),
  description: v.optional(v.string()),
  origin: v.optional(v.picklist(["model", "user"])),
  permission: v.optional(permission),
  detach: v.optional(v.boolean()),
  background: v.optional(v.boolean()),
  notify: v.optional(v.boolean()),
  signal: v.optional(v.instance(AbortSignal)),
});

/** The field of a request that cannot be used, as an error for the caller. */
export class RequestError extends TypeError {
  /** Which field. */
  readonly field: string;

  constructor(field: string, value: unknown, why: string) {
    super(`Cannot run a command with ${field} ${shownValue(value)}: ${why}`);
    this.name = "RequestError";
    this.field = field;
  }
}

/**
 * Check a request before anything happens.
 *
 * @throws {RequestError} For the first field that cannot be used.
 */
export function checkRequest(command: string, options: RunOptions): void {
  const fail = (field: string, value: unknown, why: string) => new RequestError(field, value, why);
  checkFields(commandField, { command }, fail);
  checkFields(schema, options, fail);
  if (command.trim() === "") throw new RequestError("command", command, "it is empty");
  if (command.includes("\0")) throw new RequestError("command", command, "it contains NUL");
  if (/\p{Surrogate}/u.test(command)) {
    throw new RequestError("command", command, "it contains half a character, which has no bytes");
  }
  const { pty = false, executor, split = false, detach = false } = options;
  if (split && (pty !== false || executor === "shell" || detach)) {
    const where = pty !== false ? "a terminal" : detach ? "a file" : "the shell of a session";
    throw new RequestError("split", split, `${where} has one output for both streams`);
  }
  if (pty !== false && executor === "process") {
    throw new RequestError("executor", executor, "a command with pty has a terminal");
  }
  if (typeof pty === "object" && pty.passThrough && executor === "shell") {
    const why = "the terminal of a person has commands of its own, not those of a shell";
    throw new RequestError("executor", executor, why);
  }
  for (const field of ["cwd", "sessionId"] as const) {
    const value = options[field];
    if (value?.includes("\0")) throw new RequestError(field, value, "it contains NUL");
  }
  for (const [name, value] of Object.entries(options.env ?? {})) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      const why = "a name has letters, digits and underscores, and starts with no digit";
      throw new RequestError("env", name, why);
    }
    // The value itself may be a secret.
    if (value.includes("\0")) throw new RequestError("env", name, "its value contains NUL");
  }
}

/**
 * Check a request for what not every runtime can: a process that outlives it, outputs apart, and the
 * input of this process.
 *
 * @throws {RequestError} When it cannot be kept.
 */
export function checkAble(
  { detach, split, executor, pty, input, timeoutMs, idleTimeoutMs }: RunOptions,
  { detaches, splits, inherits }: Pick<ExecutorCapabilities, "detaches" | "splits" | "inherits">,
): void {
  if (input === "inherit" && (pty || !inherits)) {
    const why = pty ? "its terminal is its input" : "no command here has the input of this process";
    throw new RequestError("input", input, why);
  }
  if (split === true && !splits) {
    throw new RequestError("split", split, "what runs commands here gives both streams as one");
  }
  if (detach !== true) return;
  const shell = executor === "shell" && executor;
  const impossible = { pty, input, executor: shell, timeoutMs, idleTimeoutMs };
  for (const [name, value] of Object.entries(impossible)) {
    if (!value) continue;
    const why = "a detached command outlives every terminal, shell and limit of its runtime";
    throw new RequestError(name, value, why);
  }
  if (!detaches) {
    const why = "the runtime needs a directory for its log, given as option log, and neither a " +
      "sandbox nor a pid namespace";
    throw new RequestError("detach", detach, why);
  }
}
