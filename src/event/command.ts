import type { EnvValues } from "./env-values.ts";

/** Names one command for its whole life, and the task that it is seen as from outside. Never a pid, never reused. */
export type CommandId = string;

/** Names one shell session. */
export type SessionId = string;

/** Who wants a command: an agent's model, or the person who uses the agent. */
export type Origin = "model" | "user";

/** A part of the command line, in UTF-16 code units: `command.slice(start, end)`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** How long a command may go on. */
export interface Limits {
  /** Wall clock from `execution.started`, in milliseconds; absent: none. */
  readonly timeoutMs?: number;
  /** Longest silence, in milliseconds; absent: none. */
  readonly idleTimeoutMs?: number;
}

/** What is to be run, with the facts of the moment its turn came. What was analysed is executed byte for byte. */
export interface Order {
  readonly command: string;
  readonly cwd: string;
  readonly dialect: "bash";
  readonly origin: Origin;
  /** Variables of this command alone, over those of the runtime. */
  readonly env?: EnvValues;
  readonly limits: Limits;
}

/** A redirection of a simple command or of a construct. */
export interface Redirect {
  readonly operator: string;
  /** The decoded target; absent when it is known only at run time. */
  readonly target?: string;
  readonly span: Span;
}

/** One word after quote removal; absent text means that it is known only at run time. */
export interface Word {
  readonly text?: string;
  readonly span: Span;
}

/** A command that the shell could run, found anywhere in the line. */
export interface SimpleCommand {
  /** The decoded words, the program first; a word known only at run time is `null`. */
  readonly argv: readonly (string | null)[];
  /** Variables set before the program's name; a value known only at run time is `null`. */
  readonly assignments: readonly { readonly name: string; readonly value: string | null }[];
  readonly redirects: readonly Redirect[];
  readonly span: Span;
}

/** What a line would run and touch, and how sure that is. */
export interface Analysis {
  /** `complete`: everything the line runs is in `commands`. `opaque`: it could run more; see `reason`. */
  readonly certainty: "complete" | "opaque";
  /** Why it is opaque. */
  readonly reason?: string;
  /** Which part made it opaque. */
  readonly span?: Span;
  readonly commands: readonly SimpleCommand[];
  /** Absolute paths that it reads, as far as they are known. */
  readonly reads: readonly string[];
  /** Absolute paths that it writes, as far as they are known. */
  readonly writes: readonly string[];
  /** Some path is known only at run time. */
  readonly dynamic: boolean;
}

/** Somebody asked for a command. */
export interface CommandRequested {
  readonly type: "command.requested";
  readonly commandId: CommandId;
  readonly sessionId: SessionId;
  readonly command: string;
  readonly origin: Origin;
  readonly description?: string;
  readonly cwd?: string;
  readonly env?: EnvValues;
  readonly limits: Limits;
}

/** The command's turn came. */
export interface CommandAdmitted {
  readonly type: "command.admitted";
  readonly commandId: CommandId;
  readonly sessionId: SessionId;
  readonly order: Order;
}

/** What it would run is known. */
export interface CommandParsed {
  readonly type: "command.parsed";
  readonly commandId: CommandId;
  readonly order: Order;
  readonly analysis: Analysis;
}

/** It cannot be a command; nothing ran. */
export interface CommandRejected {
  readonly type: "command.rejected";
  readonly commandId: CommandId;
  readonly reason: string;
  readonly span?: Span;
}

/** It was given up before anything ran. */
export interface CommandCancelled {
  readonly type: "command.cancelled";
  readonly commandId: CommandId;
  readonly by: StopCause;
}

/** Who ended a command. */
export type StopCause = "timeout" | "idle" | "abort" | "stop" | "outputLimit" | "close" | "user";

/** A signal was sent on request. */
export interface CommandSignalled {
  readonly type: "command.signalled";
  readonly commandId: CommandId;
  readonly signal: string;
}

/** Input was written; only its size is told. */
export interface CommandInputWritten {
  readonly type: "command.inputWritten";
  readonly commandId: CommandId;
  readonly bytes: number;
}

/** All that the folder `command` tells of. */
export type CommandEvent =
  | CommandRequested
  | CommandAdmitted
  | CommandParsed
  | CommandRejected
  | CommandCancelled
  | CommandSignalled
  | CommandInputWritten;
