import type { CommandId, Limits } from "./command.ts";
import type { EnvValues } from "./env-values.ts";

/** Everything that an executor needs to start a command. */
export interface Invocation {
  /** The line as it was analysed; an executor runs exactly these bytes. */
  readonly command: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: EnvValues;
  readonly limits: Limits;
  /** Its process is to outlive the host. */
  readonly detach?: true;
}

/** A variable that the command does not get, and the rule that dropped it. */
export interface DroppedVariable {
  readonly name: string;
  readonly rule: string;
}

/** The command can start. */
export interface EnvBuilt {
  readonly type: "env.built";
  readonly commandId: CommandId;
  readonly invocation: Invocation;
  readonly dropped: readonly DroppedVariable[];
}

/** The surroundings that the command asks for cannot be built; nothing ran. */
export interface EnvRefused {
  readonly type: "env.refused";
  readonly commandId: CommandId;
  readonly reason: string;
}

/** All that the folder `env` tells of. */
export type EnvEvent = EnvBuilt | EnvRefused;
