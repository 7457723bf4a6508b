import type { CommandId, Origin } from "../event/command.ts";
import { EnvValues } from "../event/env-values.ts";
import type { EnvEvent } from "../event/env.ts";
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

/** A model gets what programs commonly need, a person what the host has; secrets neither. */
export function defaultEnvPolicy(origin: Origin): EnvPolicy {
  return { inherit: origin === "user" ? "all" : "core" };
}

/**
 * Build the surroundings of each granted command: its shell, its directory, its environment.
 *
 * @returns A stage from `permission.granted` to `env.built` or `env.refused`.
 */
export function construct(options: ConstructOptions): Stage<PermissionGranted, EnvEvent> {
  return stage("permission.granted", (granted: PermissionGranted) => [built(granted, options)]);
}

function built(
  { commandId, order }: PermissionGranted,
  { policy, base, shell, inject }: ConstructOptions,
): EnvEvent {
  const environment = buildEnvironment({
    base,
    policy: policy(order.origin),
    overrides: order.env?.reveal() ?? {},
    injected: inject?.(commandId) ?? {},
    dangerous: shell.dialect.dangerousVariables,
  });
  if (environment.type === "refused") {
    return { type: "env.refused", commandId, reason: environment.reason };
  }
  return {
    type: "env.built",
    commandId,
    invocation: {
      command: order.command,
      file: shell.file,
      args: shell.dialect.run(order.command),
      cwd: order.cwd,
      env: new EnvValues(environment.values),
      limits: order.limits,
    },
    dropped: environment.dropped,
  };
}
