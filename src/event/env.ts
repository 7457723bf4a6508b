import type {
  CommandId,
  DialectName,
  ExecutorKind,
  Order,
  SessionId,
  ShellState,
} from "./command.ts";
import type { EnvValues } from "./env-values.ts";

/** Everything that an executor needs to start a command; it runs exactly the bytes that were analysed. */
export interface Invocation extends
  Pick<
    Order,
    "command" | "requested" | "cwd" | "limits" | "detach" | "input" | "split" | "terminal"
  > {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: EnvValues;
  /** What runs it, unless it is detached. */
  readonly executor: ExecutorKind;
  /** For a persistent shell; `file`, `args` and `env` are then what a fresh process would get. */
  readonly shell?: ShellInvocation;
}

/** What a persistent shell needs beside the line. */
export interface ShellInvocation {
  /** Each session has a shell of its own. */
  readonly sessionId: SessionId;
  readonly dialect: DialectName;
  /** Arguments in front of the shell's own, where another program starts it. */
  readonly leading?: readonly string[];
  /** The environment of the shell, if it must be started. */
  readonly env: EnvValues;
  /** Variables of this command alone. */
  readonly overrides?: EnvValues;
  /** The directory of the session, to which the shell goes afterwards: that of the command is its alone. */
  readonly returns?: string;
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

/** The file that the host has promised is there, as a snapshot: each bash runs it from now on. */
export interface SnapshotTaken {
  readonly type: "env.snapshotTaken";
  readonly path: string;
  /** What it defines. */
  readonly state: ShellState;
}

/** The file that the host has promised does not come, or cannot be used: lines run without it. */
export interface SnapshotFailed {
  readonly type: "env.snapshotFailed";
  readonly reason: string;
}

/** The events of the folder `env`. */
export type EnvEvent = EnvBuilt | EnvRefused | SnapshotTaken | SnapshotFailed;
