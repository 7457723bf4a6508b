import type {
  CommandId,
  DialectName,
  ExecutorKind,
  Limits,
  SessionId,
  TerminalSetup,
} from "./command.ts";
import type { EnvValues } from "./env-values.ts";

/** Everything that an executor needs to start a command. */
export interface Invocation {
  /** The line as it was analysed; an executor runs exactly these bytes. */
  readonly command: string;
  /** The line that was asked for; absent: the same. */
  readonly requested?: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: EnvValues;
  readonly limits: Limits;
  /** What runs it, unless it is detached. */
  readonly executor: ExecutorKind;
  /** Its process outlives the host. */
  readonly detach?: true;
  /** It takes input; absent: its standard input is at its end. */
  readonly input?: true;
  /** Its terminal, for the executor `terminal`. */
  readonly terminal?: TerminalSetup;
  /** For a persistent shell; `file`, `args` and `env` are then what a fresh process would get. */
  readonly shell?: ShellInvocation;
}

/** What a persistent shell needs beside the line. */
export interface ShellInvocation {
  /** Each session has a shell of its own. */
  readonly sessionId: SessionId;
  readonly dialect: DialectName;
  /** The environment of the shell, if it must be started. */
  readonly env: EnvValues;
  /** Variables of this command alone. */
  readonly overrides?: EnvValues;
  /** The directory is of this command alone: the shell returns to where it was. */
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

/** The environment that the command asks for cannot be built; nothing ran. */
export interface EnvRefused {
  readonly type: "env.refused";
  readonly commandId: CommandId;
  readonly reason: string;
}

/** The events of the folder `env`. */
export type EnvEvent = EnvBuilt | EnvRefused;
