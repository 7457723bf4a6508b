import type { CommandId, Origin } from "../event/command.ts";
import { EnvValues } from "../event/env-values.ts";
import type { DroppedVariable, EnvEvent, ShellInvocation } from "../event/env.ts";
import type { PermissionGranted, PermittedOrder } from "../event/permission.ts";
import type { Dialect } from "../shell/bash.ts";
import { type Stage, stage } from "../stream/stage.ts";
import { buildEnvironment, type Variables } from "./build-environment.ts";
import type { EnvPolicy } from "./policy.ts";

/** The shell that commands run in. */
export interface ShellProgram {
  readonly dialect: Dialect;
  /** Where its program is: found once in the host's own PATH, never in a command's. */
  readonly file: string;
}

/** What the construct stage needs. */
export interface ConstructOptions {
  /** Which variables a command gets, by its origin. */
  readonly policy: (origin: Origin) => EnvPolicy;
  /** The host's own variables. */
  readonly base: Variables;
  readonly shell: ShellProgram;
  /** The shell for lines in another dialect than that one's; absent: such lines cannot run. */
  readonly otherShell?: ShellProgram;
  /** What each command gets in spite of the policy: ids, marks. */
  readonly inject?: (commandId: CommandId) => Variables;
}

const CORE: EnvPolicy = { inherit: "core" };
const ALL: EnvPolicy = { inherit: "all" };

/** A model gets what programs commonly need, a person what the host has; secrets neither. */
export function defaultEnvPolicy(origin: Origin): EnvPolicy {
  return origin === "user" ? ALL : CORE;
}

/**
 * Build the surroundings of each granted command: its shell, its directory, its environment.
 *
 * @returns A stage from `permission.granted` to `env.built` or `env.refused`.
 */
export function construct(options: ConstructOptions): Stage<PermissionGranted, EnvEvent> {
  const shells = [options.shell, ...(options.otherShell ? [options.otherShell] : [])].map(
    (shell) => ({ shell, surroundings: memorized(options, shell) }),
  );
  return stage("permission.granted", (granted: PermissionGranted) => {
    const { commandId, order: { dialect } } = granted;
    const found = shells.find(({ shell }) => shell.dialect.name === dialect);
    if (found !== undefined) return [built(granted, found.shell, found.surroundings(granted))];
    const reason = `Cannot run a line for ${dialect}: there is no such shell`;
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
  { policy, base, inject }: ConstructOptions,
  shell: ShellProgram,
): (granted: PermissionGranted) => Surroundings {
  const known = new WeakMap<EnvPolicy, Surroundings>();
  const build = (policy: EnvPolicy, overrides: Variables, injected: Variables): Surroundings => {
    const { dangerousVariables: dangerous } = shell.dialect;
    const environment = buildEnvironment({ base, policy, overrides, injected, dangerous });
    if (environment.type === "refused") return { reason: environment.reason };
    const env = new EnvValues(environment.values);
    return { env, dropped: environment.dropped, common: env };
  };
  const common = (policy: EnvPolicy): Surroundings => {
    const surroundings = known.get(policy) ?? build(policy, {}, {});
    known.set(policy, surroundings);
    return surroundings;
  };
  return ({ commandId, order }) => {
    const chosen = policy(order.origin);
    if (inject === undefined && order.env === undefined) return common(chosen);
    const own = { ...order.env?.reveal(), ...inject?.(commandId) };
    const whole = build(chosen, order.env?.reveal() ?? {}, inject?.(commandId) ?? {});
    const shared = common(chosen);
    if ("reason" in whole || "reason" in shared) return "reason" in whole ? whole : shared;
    return { ...whole, common: shared.common, own: kept(own, whole.env) };
  };
}

/** Of the variables that a command asks for, those that the policy let pass. */
function kept(asked: Variables, env: EnvValues): EnvValues {
  const values = env.reveal();
  return new EnvValues(
    Object.fromEntries(Object.entries(asked).filter(([name]) => Object.hasOwn(values, name))),
  );
}

function built(
  { commandId, order }: PermissionGranted,
  shell: ShellProgram,
  surroundings: Surroundings,
): EnvEvent {
  if ("reason" in surroundings) {
    return { type: "env.refused", commandId, reason: surroundings.reason };
  }
  const { env, dropped } = surroundings;
  const lasting = shellOf(order, surroundings);
  return {
    type: "env.built",
    commandId,
    invocation: {
      command: order.command,
      file: shell.file,
      args: shell.dialect.run(order.command),
      cwd: order.cwd,
      env,
      limits: order.limits,
      executor: lasting === undefined ? "process" : "shell",
      ...(order.detach && { detach: order.detach }),
      ...(lasting && { shell: lasting }),
    },
    dropped,
  };
}

function shellOf(
  { shell, dialect }: PermittedOrder,
  { common, own }: Exclude<Surroundings, { readonly reason: string }>,
): ShellInvocation | undefined {
  if (shell === undefined) return undefined;
  return { ...shell, dialect, env: common, ...(own && { overrides: own }) };
}
