import * as v from "valibot";
import type { ChooseEnv } from "../../env/construct.ts";
import type { EnvPolicy } from "../../env/env-policy.ts";
import type { Origin } from "../../event/command.ts";
import type { Gate } from "../../gate.ts";
import type { Executor } from "../../execution/executor.ts";
import type { ByteLogsOptions, KeepOptions } from "../../output/byte-logs.ts";
import type { Asker } from "../../permission/asker.ts";
import type { Mode } from "../../permission/mode.ts";
import type { PolicyRules } from "../../permission/policy.ts";
import type { Clock } from "../../platform/clock.ts";
import { fromCurrentDirectory } from "../../platform/environment/environment.ts";
import { codeOf, messageOf } from "../../platform/failure.ts";
import { absolutePath } from "../../platform/file/paths.ts";
import { checkPrivateDirectory } from "../../platform/file/private-directory.ts";
import type { Ids } from "../../platform/ids.ts";
import type { Sandbox } from "../../platform/process/containment.ts";
import { listedHost } from "../../platform/network/listed-hosts.ts";
import { CAPABILITIES, type Capability } from "../../platform/process/missing-capabilities.ts";
import type { Processes } from "../../platform/process/processes.ts";
import type { ExecutorPreference } from "../../session/choose-executor.ts";
import type { PermissionOptions } from "../permission/permission-options.ts";
import { mode, permissionFields, ruleLists } from "../permission/permission-schema.ts";
import { checkFields } from "../../value/check-fields.ts";
import { shownValue } from "../../value/shown.ts";
import { checkNoNul, envPolicy } from "./env-options.ts";
import { milliseconds, nonEmpty, wholeNumber } from "../call/fields.ts";
import type { Reaction } from "../reactions.ts";
import type { OnSession } from "../session-start.ts";
import type { GuestOptions } from "../control/guest/guests.ts";

/** How the output of commands is kept. */
export interface OutputOptions
  extends
    Omit<ByteLogsOptions, "clock" | "spill" | "onReleased">,
    Pick<KeepOptions, "runtimeQuotaBytes" | "freeSpaceBytes"> {
  /**
   * Where what exceeds memory is written, as a directory that is made when needed, absolute or relative
   * to `cwd`; `false`: nowhere.
   * Default: `output` in the directory of the log, or a temporary one that goes with the runtime.
   */
  readonly spill?: string | false;
  /**
   * Show secrets of the host's environment as stars in text: results, tools, notices and screens. Bytes
   * stay as they are. Default `true`. Texts that are given, of four characters at least, are hidden as
   * well.
   */
  readonly maskSecrets?: boolean | readonly string[];
}

/** How the sandbox of a runtime works. */
export interface SandboxOptions {
  /**
   * `full`: commands reach the network of the machine; `none`, the default: only what they start
   * themselves; `{hosts}`: those besides, such as `example.com`, `*.example.com` or `localhost:8080`, by
   * HTTP. It needs socat.
   */
  readonly network?: Sandbox["network"];
  /**
   * What commands cannot change inside, from the workspace on; it has to exist. Default `.git/hooks`
   * and `.git/config`, from which git runs programs, where they exist when the runtime begins.
   */
  readonly readOnly?: readonly string[];
}

/** How a runtime works. Everything has a default, and the default is safe. */
export interface RuntimeOptions extends PermissionOptions {
  /** Where commands run unless they say otherwise; default the working directory of this process. */
  readonly cwd?: string;
  /** What commands may write to without being asked about it; default `cwd`. */
  readonly workspace?: string;
  /** What may run; default: no rule. What no rule covers is asked about. */
  readonly rules?: PolicyRules;
  /** How what no rule decides is judged; default `default`, which asks. */
  readonly mode?: Mode;
  /** Answers questions; without it, what would be asked is denied. */
  readonly ask?: Asker;
  /**
   * Which variables commands get; default what programs commonly need, and no secrets. A function is
   * called for each command; the shell of a session has what it says of the command that starts it.
   */
  readonly env?: EnvPolicy | ChooseEnv;
  /** The variables that `env` inherits from; default those of this process. */
  readonly hostEnv?: Readonly<Record<string, string>>;
  /**
   * A program and its arguments, such as `["nice", "-n", "5"]`, that starts the shell of each command:
   * the words of the shell come after them. It is trusted; what is judged and shown is the line alone.
   */
  readonly prefix?: readonly string[];
  /**
   * A file that each bash runs before its line, by the variable `BASH_ENV`. It is run once when the
   * runtime begins: what it defines is asked about where a line uses it, and so is every line once the
   * file was changed. Of a promise no command waits for the file; an event says that it is there, or
   * that it cannot be had.
   */
  readonly bashEnv?: string | Promise<string>;
  /**
   * A file through which commands leave variables for later ones of all sessions: lines such as
   * `export NAME=value` at the end of `$SHELLFLOW_ENV_FILE`, which are read as data. Variables that
   * would be a question in a line, and secrets, are not taken.
   */
  readonly envFile?: string;
  /** Wall clock for each command, in milliseconds; default 0: none. */
  readonly timeoutMs?: number;
  /** What the time limit does: `kill` ends the command, `promote` ends the wait alone; default `kill`. */
  readonly onTimeout?: "kill" | "promote";
  /** Beginnings of commands, such as `npm run dev`, to which no default limit of time applies. */
  readonly noTimeout?: readonly string[];
  /** Longest silence of each command, in milliseconds; default 0: none. */
  readonly idleTimeoutMs?: number;
  /** Between the polite signal and KILL, in milliseconds; default 5 000. */
  readonly graceMs?: number;
  /** What becomes of the processes that a command leaves behind: they go on until the runtime closes, or end with it; default `keep`. */
  readonly background?: "keep" | "end";
  /**
   * What keeps the processes of a command together: `marks` by which they are found, or a
   * `pid-namespace` that the kernel empties when the command ends, background children included;
   * it needs bubblewrap. Default `marks`.
   */
  readonly containment?: "marks" | "pid-namespace";
  /**
   * Let commands write only to what counts as inside, in a `pid-namespace`; `{}` gives them no
   * network either. Default: they can do what this user can.
   */
  readonly sandbox?: SandboxOptions;
  /**
   * What this machine, or the permissions of Deno, may lack; without it such a runtime is refused.
   * `orphans`: the means to end a process that left its group, as by `setsid`, with its command or
   * with the runtime. Default: nothing.
   */
  readonly allowMissing?: readonly Capability[];
  /**
   * What runs commands that do not say so themselves: a `process` for each, the `shell` that their
   * session keeps alive, or, with `auto`, the shell for commands that name a session or an owner and
   * a process for all others. Default `process`: what one command leaves in a shell can change what
   * the next one means, so that has to be asked for.
   */
  readonly defaultExecutor?: ExecutorPreference | ((origin: Origin) => ExecutorPreference);
  /**
   * What runs what the person asks for (origin `user`): `bash`, or the shell that is found to be
   * theirs (`detect`), whose lines are not analysed unless it is a bash. The model's lines are always
   * bash. Default `bash`.
   */
  readonly userShell?: "bash" | "detect";
  /**
   * Answers the line that is run first in a session that stays, in front of its first command, such as
   * `. .venv/bin/activate`. It is trusted; rules that deny hold. What has a process or a terminal of its
   * own, by its call or by `defaultExecutor`, is no first command.
   */
  readonly onSession?: OnSession;
  /** How long an unused shell of a session is kept, in milliseconds; default 0: as long as its session. */
  readonly sessionIdleMs?: number;
  /**
   * Whether a leading `cd DIRECTORY &&` of a line becomes the directory that it runs in, where none is
   * given and nothing else changes by that; default `true`.
   */
  readonly foldCd?: boolean;
  /** The directory in which events are recorded, absolute or relative to `cwd`; default: in memory only. */
  readonly log?: string;
  /**
   * Run commands for other processes of this user, too, which bring their own rules and ask through
   * the directory of the log; default: they can list, read and stop what runs, and no more.
   */
  readonly guests?: GuestOptions;
  /** Called once, when the log on disk takes no more events; default a warning of the process. */
  readonly onLogFailure?: (cause: Error) => void;
  /** How the output of commands is kept, in memory and on disk. */
  readonly output?: OutputOptions;
  /**
   * Hold every command in front of a stage until they have decided: to record it, to change what may
   * still change, or to stop it before the next stage acts.
   */
  readonly gates?: readonly Gate[];
  /** What to do because of events, beside what the runtime does; each is a pure function. */
  readonly reactions?: readonly Reaction[];
  /** What runs the commands, in place of this machine's executor or around it. */
  readonly executor?: Executor | ((own: Executor) => Executor);
  /** The time of timers and events; default that of this machine. */
  readonly clock?: Clock;
  /** Names tasks, sessions and questions; default random names. */
  readonly ids?: Ids;
  /** Starts and signals processes; default those of this machine. */
  readonly processes?: Processes;
}

/** How the commands of an executor are run and ended; the same as the options of a runtime. */
export type CreateExecutorOptions = Pick<
  RuntimeOptions,
  | "graceMs"
  | "containment"
  | "sandbox"
  | "workspace"
  | "directories"
  | "background"
  | "allowMissing"
  | "clock"
  | "ids"
  | "processes"
>;

const preference = v.picklist(["process", "shell", "auto"]);

const noNul = v.pipe(v.string(), v.check((text) => !text.includes("\0"), "it contains NUL"));

const bytes = v.optional(wholeNumber);

/** Infinity means all. */
const amount = v.pipe(v.number(), v.minValue(0));

/** A part of the runtime that the caller brings: what it does is its own affair, that it can is not. */
const part = <Method extends string>(method: Method) =>
  v.optional(v.looseObject({ [method]: v.function() }));

const gate = v.strictObject({
  name: nonEmpty,
  before: v.picklist(["permit", "construct", "execute"]),
  decide: v.function(),
  timeoutMs: v.optional(milliseconds),
});

const output = v.strictObject({
  headBytes: bytes,
  tailBytes: bytes,
  quotaBytes: bytes,
  runtimeQuotaBytes: bytes,
  freeSpaceBytes: bytes,
  inlineBytes: bytes,
  onLimit: v.optional(v.picklist(["drop", "end"])),
  ended: v.optional(v.strictObject({ logs: amount, bytes: amount })),
  spill: v.optional(v.union([nonEmpty, v.literal(false)])),
  maskSecrets: v.optional(v.union(
    [v.boolean(), v.array(v.pipe(v.string(), v.minLength(4, "it is too short")))],
    "it must be true, false or texts of four characters at least",
  )),
});

const NETWORK = 'it is neither "none" nor "full" nor {hosts}';
const listed = v.strictObject({
  hosts: v.array(v.pipe(
    v.string(),
    v.check(
      (text) => listedHost(text) !== undefined,
      'it is no host, such as "example.com", "*.example.com" or "localhost:8080"',
    ),
  )),
});

const executor = v.looseObject({
  name: v.string(),
  capabilities: v.looseObject({
    terminal: v.boolean(),
    input: v.boolean(),
    persistent: v.boolean(),
    detaches: v.boolean(),
  }),
  run: v.function(),
  send: v.function(),
  close: v.function(),
});

const schema = v.strictObject({
  cwd: v.optional(nonEmpty),
  workspace: v.optional(nonEmpty),
  rules: v.optional(ruleLists),
  mode: v.optional(mode),
  ...permissionFields,
  ask: v.optional(v.function()),
  env: v.optional(v.lazy((given) => typeof given === "function" ? v.function() : envPolicy)),
  hostEnv: v.optional(v.record(v.string(), v.string())),
  prefix: v.optional(v.pipe(v.array(noNul), v.nonEmpty("it is empty"))),
  bashEnv: v.optional(
    v.lazy((given) => given instanceof Promise ? v.promise() : v.pipe(nonEmpty, noNul)),
  ),
  envFile: v.optional(v.pipe(nonEmpty, noNul)),
  timeoutMs: v.optional(milliseconds),
  onTimeout: v.optional(v.picklist(["kill", "promote"])),
  noTimeout: v.optional(v.array(v.string())),
  idleTimeoutMs: v.optional(milliseconds),
  graceMs: v.optional(milliseconds),
  background: v.optional(v.picklist(["keep", "end"])),
  containment: v.optional(v.picklist(["marks", "pid-namespace"])),
  sandbox: v.optional(v.strictObject({
    network: v.optional(
      v.lazy((given) =>
        typeof given === "object" && !Array.isArray(given)
          ? listed
          : v.picklist(["none", "full"], NETWORK)
      ),
    ),
    readOnly: v.optional(v.array(v.pipe(nonEmpty, noNul))),
  })),
  allowMissing: v.optional(v.array(v.picklist(CAPABILITIES))),
  defaultExecutor: v.optional(v.union([preference, v.function()])),
  userShell: v.optional(v.picklist(["bash", "detect"])),
  onSession: v.optional(v.function()),
  sessionIdleMs: v.optional(milliseconds),
  foldCd: v.optional(v.boolean()),
  log: v.optional(nonEmpty),
  guests: v.optional(v.object({ idleMs: milliseconds, onEnd: v.function() })),
  onLogFailure: v.optional(v.function()),
  output: v.optional(output),
  gates: v.optional(v.array(gate)),
  reactions: v.optional(v.array(v.function())),
  executor: v.optional(v.lazy((given) => typeof given === "function" ? v.function() : executor)),
  clock: part("after"),
  ids: part("next"),
  processes: part("spawn"),
});

const CANNOT = "Cannot create a runtime with";

/**
 * Check the options.
 *
 * @throws {TypeError} For the first that cannot be used, with its name and value.
 */
export function checkOptions(options: RuntimeOptions): void {
  checkFields(schema, options, CANNOT);
  const { guests, log, env = {}, sandbox, containment, executor, cwd = ".", output } = options;
  if (sandbox !== undefined && containment === "marks") {
    throw new TypeError(`${CANNOT} containment "marks": a sandbox has a pid namespace`);
  }
  if (sandbox !== undefined && typeof executor === "object") {
    throw new TypeError(`${CANNOT} sandbox: it holds no commands of another executor`);
  }
  if (guests !== undefined && log === undefined) {
    throw new TypeError(`${CANNOT} log undefined: guests come through its directory`);
  }
  if (typeof env !== "function") checkNoNul(env, CANNOT);
  if (output?.spill) checkSpill(absolutePath(fromCurrentDirectory(cwd), output.spill));
}

/** Where other users have access, nothing is kept: the first long output would show it. */
function checkSpill(spill: string): void {
  try {
    checkPrivateDirectory(spill);
  } catch (cause) {
    // It is made when it is first needed.
    if (codeOf(cause) === "ENOENT") return;
    const why = `${CANNOT} output.spill ${shownValue(spill)}: ${messageOf(cause)}`;
    throw new TypeError(why, { cause });
  }
}

const made = v.strictObject({ executor });

/**
 * Check what a function of the caller returned as the executor.
 *
 * @throws {TypeError} When that is none, or is not held by the sandbox.
 */
export function checkExecutor(executor: Executor, sandbox: Sandbox | undefined): Executor {
  checkFields(made, { executor }, `${CANNOT} a function that returns`);
  if (executor.capabilities.sandbox === sandbox) return executor;
  throw new TypeError(`${CANNOT} sandbox: the executor that a function returned is not held by it`);
}
