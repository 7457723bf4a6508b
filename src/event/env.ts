import type { CommandId, DialectName, Limits, SessionId } from "./command.ts";
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
  /** It runs in a shell that lives on; `file`, `args` and `env` are then what a fresh process would get. */
  readonly shell?: ShellInvocation;
}

/** What a shell that lives on must know besides the line. */
export interface ShellInvocation {
  /** Whose shell it is: each session has one of its own. */
  readonly sessionId: SessionId;
  readonly dialect: DialectName;
  /** What the shell is started with, if it must be started. */
  readonly env: EnvValues;
  /** Variables of this command alone, which the shell forgets after it. */
  readonly overrides?: EnvValues;
  /** The directory is of this command alone: the shell goes back to where it was. */
  readonly returns: boolean;
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
