import type { CommandId, Order, Origin } from "../event/command.ts";
import { EnvValues } from "../event/env-values.ts";
import type { DroppedVariable, EnvEvent } from "../event/env.ts";
import type { PermissionGranted } from "../event/permission.ts";
import { environment } from "../platform/environment/environment.ts";
import { messageOf } from "../platform/failure.ts";
import { findProgram, whyNotFound } from "../platform/environment/find-program.ts";
import { bash, type Dialect } from "../shell/bash.ts";
import { defined } from "../value/defined.ts";
import { type Stage, stage } from "../stream/stage.ts";
import { buildEnvironment, type Variables } from "./build-environment.ts";
import type { EnvPolicy } from "./env-policy.ts";

/** The shell that commands run in. */
export interface ShellProgram {
  readonly dialect: Dialect;
  /** Where its program is: found once in the host's own PATH, never in a command's. */
  readonly file: string;
  /** Arguments in front of its own, where `file` is another program that starts it. */
  readonly leading?: readonly string[];
}

/** What a choice of variables can depend on. */
export interface EnvFacts extends Pick<Order, "command" | "cwd" | "dialect" | "sessionId"> {
  readonly commandId: CommandId;
}

/** Which variables a command gets; what it throws refuses the command. */
export type ChooseEnv = (origin: Origin, facts: EnvFacts) => EnvPolicy;

/** What the construct stage needs. */
export interface ConstructOptions {
  /** Which variables a command gets, by its origin and what is known of it; default {@linkcode defaultEnvPolicy}. */
  readonly policy?: ChooseEnv;
  /** The host's own variables; default: those of this process. */
  readonly base?: Variables;
  /** Default: the first bash on the PATH of `base`. */
  readonly shell?: ShellProgram;
  /** Variables that every command has, whatever the policy keeps. */
  readonly fixed?: Variables;
  /** The variable that names the session to its commands; absent: none does. */
  readonly sessionVariable?: string;
  /** The shells for lines in other dialects than that one's, looked for when such a line comes; lines in further ones cannot run. */
  readonly otherShells?: () => readonly ShellProgram[];
}

const CORE: EnvPolicy = { inherit: "core" };
const ALL: EnvPolicy = { inherit: "all" };

/** A model gets what programs commonly need, a person what the host has; secrets neither. */
export function defaultEnvPolicy(origin: Origin): EnvPolicy {
  return origin === "user" ? ALL : CORE;
}

/**
 * Find the bash that commands run in.
 *
 * @param options With `optional` it is the name alone where there is none.
 * @throws {Error} When there is none on the PATH.
 */
export function bashOf(
  base: Variables,
  { optional = false }: { readonly optional?: boolean } = {},
): ShellProgram {
  const path = base["PATH"] ?? "";
  const file = findProgram(bash.program, path) ?? (optional ? bash.program : undefined);
  if (file !== undefined) return { dialect: bash, file };
  throw new Error(`Cannot find "${bash.program}": ${whyNotFound(path)}`);
}

/**
 * Build the surroundings of each granted command: its shell, its directory, its environment.
 *
 * @throws {Error} When there is no bash on the PATH, and no other shell was given.
 * @returns A stage from `permission.granted` to `env.built` or `env.refused`.
 */
export function construct(
  {
    policy = defaultEnvPolicy,
    base = environment(),
    shell = bashOf(base),
    otherShells = () => [],
    fixed = {},
    sessionVariable,
  }: ConstructOptions = {},
): Stage<PermissionGranted, EnvEvent> {
  const withSurroundings = (shell: ShellProgram) => ({
    shell,
    surroundings: memorized({ policy, base, fixed, sessionVariable }, shell),
  });
  const own = withSurroundings(shell);
  let others: readonly (typeof own)[] | undefined;
  return stage("permission.granted", (granted: PermissionGranted) => {
    const { commandId, order: { dialect } } = granted;
    const found = dialect === shell.dialect.name
      ? own
      : (others ??= otherShells().map(withSurroundings))
        .find(({ shell }) => shell.dialect.name === dialect);
    if (found !== undefined) return [built(granted, found.shell, found.surroundings(granted))];
    const reason = `Cannot run a line for ${dialect}: there is no such shell in PATH`;
    return [{ type: "env.refused", commandId, reason }];
  });
}

type Surroundings =
  | {
    readonly env: EnvValues;
    readonly dropped: readonly DroppedVariable[];
    /** The environment of every command under the same policy; a persistent shell starts with it. */
    readonly common: EnvValues;
    /** What this command has beyond that. */
    readonly own?: EnvValues;
  }
  | { readonly reason: string };

/**
 * Builds the environment of commands without variables of their own once for each policy: to build it
 * takes longer than all else that happens to an event.
 */
function memorized(
  { policy, base, fixed, sessionVariable }:
    & Required<Pick<ConstructOptions, "policy" | "base" | "fixed">>
    & { readonly sessionVariable: string | undefined },
  { dialect: { dangerousVariables: dangerous } }: ShellProgram,
): (granted: PermissionGranted) => Surroundings {
  const known = new WeakMap<EnvPolicy, Surroundings>();
  const build = (policy: EnvPolicy, overrides: Variables): Surroundings => {
    const environment = buildEnvironment({ base, policy, overrides, dangerous });
    if (environment.type === "refused") return environment;
    const env = new EnvValues({ ...environment.values, ...fixed });
    return { env, dropped: environment.dropped, common: env };
  };
  const named = (env: EnvValues, { sessionId, bashEnv }: Order) => {
    const own = {
      ...(bashEnv !== undefined && { BASH_ENV: bashEnv }),
      ...(sessionVariable !== undefined && { [sessionVariable]: sessionId }),
    };
    return Object.keys(own).length === 0 ? env : new EnvValues({ ...env.reveal(), ...own });
  };
  return ({ commandId, order }) => {
    const { origin, terminal, command, cwd, dialect, sessionId } = order;
    let chosen: EnvPolicy;
    try {
      chosen = policy(origin, { commandId, command, cwd, dialect, sessionId });
    } catch (cause) {
      return { reason: `Cannot choose the variables of the command: ${messageOf(cause)}` };
    }
    // The terminal of a person is what their own variables say.
    if (terminal !== undefined && !terminal.passThrough) chosen = onTerminal(chosen);
    const shared = known.get(chosen) ?? build(chosen, {});
    known.set(chosen, shared);
    if ("reason" in shared) return shared;
    const common = named(shared.common, order);
    if (order.env === undefined) return { ...shared, env: common, common };
    const own = order.env.reveal();
    const whole = build(chosen, own);
    if ("reason" in whole) return whole;
    const env = named(whole.env, order);
    return { ...whole, env, common, own: kept(own, env) };
  };
}

/** A program on a terminal can be answered: nothing keeps it from asking. */
function onTerminal(policy: EnvPolicy): EnvPolicy {
  return { ...policy, profile: policy.profile ?? "none", set: { ...policy.set, TERM } };
}

/** What the terminals of this package understand, by the name that programs know. */
const TERM = "xterm-256color";

/** Of the variables that a command asks for, those that it gets. */
function kept(asked: Variables, env: EnvValues): EnvValues {
  const values = env.reveal();
  const isKept = ([name, value]: [string, string]) =>
    Object.hasOwn(values, name) && values[name] === value;
  return new EnvValues(Object.fromEntries(Object.entries(asked).filter(isKept)));
}

function built(
  { commandId, order }: PermissionGranted,
  shell: ShellProgram,
  surroundings: Surroundings,
): EnvEvent {
  if ("reason" in surroundings) {
    return { type: "env.refused", commandId, reason: surroundings.reason };
  }
  const { env, dropped, common, own } = surroundings;
  const { sessionId, dialect, shell: lasting, requested, detach, input, split, terminal } = order;
  const { leading } = shell;
  return {
    type: "env.built",
    commandId,
    invocation: {
      command: order.command,
      file: shell.file,
      args: [...leading ?? [], ...shell.dialect.run(order.command)],
      cwd: order.cwd,
      env,
      limits: order.limits,
      executor: terminal ? lasting ? "terminalShell" : "terminal" : lasting ? "shell" : "process",
      ...defined({ requested, detach, input, split, terminal }),
      ...(lasting && {
        shell: {
          sessionId,
          ...lasting,
          dialect,
          env: common,
          ...defined({ leading, overrides: own }),
        },
      }),
    },
    dropped,
  };
}
