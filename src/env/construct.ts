import type { CommandId, Origin } from "../event/command.ts";
import { EnvValues } from "../event/env-values.ts";
import type { DroppedVariable, EnvEvent } from "../event/env.ts";
import type { PermissionGranted } from "../event/permission.ts";
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
  /** Which variables a command gets, by who wants it. */
  readonly policy: (origin: Origin) => EnvPolicy;
  /** The host's own variables. */
  readonly base: Variables;
  readonly shell: ShellProgram;
  /** What each command gets whatever the policy says: ids, marks. */
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
  const surroundings = memorized(options);
  return stage(
    "permission.granted",
    (granted: PermissionGranted) => [built(granted, options, surroundings(granted))],
  );
}

type Surroundings =
  | { readonly env: EnvValues; readonly dropped: readonly DroppedVariable[] }
  | { readonly reason: string };

/**
 * The environment of a command that asks for nothing of its own depends on its policy alone, and
 * takes longer to build than all else that happens to an event: it is built once for each.
 */
function memorized(
  { policy, base, shell, inject }: ConstructOptions,
): (granted: PermissionGranted) => Surroundings {
  const known = new WeakMap<EnvPolicy, Surroundings>();
  const build = (policy: EnvPolicy, overrides: Variables, injected: Variables): Surroundings => {
    const { dangerousVariables: dangerous } = shell.dialect;
    const environment = buildEnvironment({ base, policy, overrides, injected, dangerous });
    if (environment.type === "refused") return { reason: environment.reason };
    return { env: new EnvValues(environment.values), dropped: environment.dropped };
  };
  return ({ commandId, order }) => {
    const chosen = policy(order.origin);
    if (inject !== undefined || order.env !== undefined) {
      return build(chosen, order.env?.reveal() ?? {}, inject?.(commandId) ?? {});
    }
    const surroundings = known.get(chosen) ?? build(chosen, {}, {});
    known.set(chosen, surroundings);
    return surroundings;
  };
}

function built(
  { commandId, order }: PermissionGranted,
  { shell }: ConstructOptions,
  surroundings: Surroundings,
): EnvEvent {
  if ("reason" in surroundings) {
    return { type: "env.refused", commandId, reason: surroundings.reason };
  }
  const { env, dropped } = surroundings;
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
      ...(order.detach && { detach: order.detach }),
    },
    dropped,
  };
}
