import type { TerminalSize } from "../platform/terminal/terminals.ts";
import type { EnvValues } from "./env-values.ts";
import type { Analysis, Span } from "./analysis.ts";

/** Names one command for its whole life, and the task that it is seen as from outside. Never a pid, never reused. */
export type CommandId = string;

/** Names one shell session. */
export type SessionId = string;

/** Where a command comes from: the model of an agent, or its user. */
export type Origin = "model" | "user";

/** The language of a shell; `shell/` describes each. */
export type DialectName = "bash" | "zsh" | "posix" | "fish" | "powershell";

/**
 * What runs a command: a fresh process, the persistent shell of its session, a terminal of its own, or
 * the persistent shell on its terminal.
 */
export type ExecutorKind = "process" | "shell" | "terminal" | "terminalShell";

/** The terminal of a command. */
export interface TerminalSetup extends TerminalSize {
  /** The terminal of a person shows its output and answers what programs ask their terminal. */
  readonly passThrough?: true;
}

/** The executor of a command, and why it was chosen. */
export interface ExecutorChoice {
  readonly kind: ExecutorKind;
  readonly reason: string;
}

/** How long a command may go on. */
export interface Limits {
  /** Wall clock from `execution.started`, in milliseconds; absent: none. */
  readonly timeoutMs?: number;
  /** Longest silence, in milliseconds; absent: none. */
  readonly idleTimeoutMs?: number;
  /** After this time from the start, in milliseconds, it goes on in the background; absent: never. */
  readonly promoteAfterMs?: number;
}

/** What is to be run, with the facts of that moment. What was analysed is executed byte for byte. */
export interface Order {
  readonly sessionId: SessionId;
  readonly command: string;
  /** The line that was asked for, where a fix-up or a leading `cd` that was left out made it another. */
  readonly requested?: string;
  readonly cwd: string;
  readonly dialect: DialectName;
  readonly origin: Origin;
  /** It runs in the persistent shell of its session; absent: in a fresh process. */
  readonly shell?: {
    /** The directory of the session, to which the shell goes afterwards: `cwd` is for this command alone. */
    readonly returns?: string;
  };
  /** Variables of this command alone, over those that earlier ones left, over those of the runtime. */
  readonly env?: EnvValues;
  /** What is not taken of what earlier commands left, with the reasons and without values. */
  readonly envFileRefused?: readonly string[];
  /** The file that each bash runs before its line, as it was when this one was admitted. */
  readonly bashEnv?: string;
  /** What the shell brings with it, by earlier commands or `BASH_ENV`; absent: a fresh shell. */
  readonly state?: ShellState;
  readonly limits: Limits;
  /** What fix-ups took from the line that was asked for; absent: nothing. */
  readonly removed?: readonly string[];
  /** Its process is to outlive the host. */
  readonly detach?: true;
  /** It takes input, or has that of the host; absent: its standard input is at its end. */
  readonly input?: true | "inherit";
  /** Its standard error is kept apart from its standard output. */
  readonly split?: true;
  /** It runs on a terminal of this size, and takes input there. */
  readonly terminal?: TerminalSetup;
}

/** Names in a shell that change what a line means; as found before the line runs. */
export interface ShellState {
  readonly functions?: readonly string[];
  readonly aliases?: readonly string[];
  /** Names of shell or environment variables that a command line or a file has set. */
  readonly variables?: readonly string[];
  /** Names for which the shell remembers another file than a search of the PATH would find. */
  readonly programs?: readonly string[];
  /** What else changes what any line does, in words: a trap that runs code of its own, an option of the shell. */
  readonly modifiers?: readonly string[];
}

/** The kinds of those names. */
export const SHELL_STATE_KINDS = [
  "functions",
  "aliases",
  "variables",
  "programs",
  "modifiers",
] as const;

/** A command was requested. */
export interface CommandRequested {
  readonly type: "command.requested";
  readonly commandId: CommandId;
  readonly sessionId: SessionId;
  readonly command: string;
  readonly origin: Origin;
  /** The shell that the line is for; absent: that of its origin. */
  readonly dialect?: DialectName;
  readonly description?: string;
  /** Absolute, or relative to the directory of the session at the moment it runs; absent: that one. */
  readonly cwd?: string;
  readonly env?: EnvValues;
  readonly limits: Limits;
  /** What runs it; absent: what the runtime chooses. */
  readonly executor?: ExecutorKind;
  /** The owner, where that decides which session it runs in. */
  readonly owner?: string;
  /** Its process is to outlive the host. */
  readonly detach?: true;
  /** It takes input, or has that of the host; absent: its standard input is at its end. */
  readonly input?: true | "inherit";
  /** Its standard error is to be kept apart from its standard output. */
  readonly split?: true;
  /** It is to run on a terminal of its own. */
  readonly terminal?: TerminalSetup;
  /** It runs in the background from the start; absent: its caller waits for it. */
  readonly background?: true;
  /** No notice is wanted about it. */
  readonly notify?: false;
}

/** The session took the command from its queue. */
export interface CommandAdmitted {
  readonly type: "command.admitted";
  readonly commandId: CommandId;
  readonly sessionId: SessionId;
  readonly order: Order;
  /** What runs it; absent: a process of its own, as there was no choice. */
  readonly executor?: ExecutorChoice;
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

/** A gate changed it before it started. */
export interface CommandChanged {
  readonly type: "command.changed";
  readonly commandId: CommandId;
  /** The name of the gate. */
  readonly by: string;
  /** Variables that it got on top; only their names are recorded. */
  readonly env?: EnvValues;
  /** The limits that it has in place of its own. */
  readonly limits?: Limits;
}

/** It was cancelled before anything ran. */
export interface CommandCancelled {
  readonly type: "command.cancelled";
  readonly commandId: CommandId;
  readonly by: StopCause;
}

/** Why a command was ended: a limit, its caller, or the close of its session or runtime. */
export type StopCause = (typeof STOP_CAUSES)[number];

/** All of them. */
export const STOP_CAUSES = [
  "timeout",
  "idle",
  "abort",
  "stop",
  "outputLimit",
  "close",
  "user",
] as const;

/** A signal was sent on request. */
export interface CommandSignalled {
  readonly type: "command.signalled";
  readonly commandId: CommandId;
  readonly signal: string;
}

/** Input was written; of it only the size is recorded. */
export interface CommandInputWritten {
  readonly type: "command.inputWritten";
  readonly commandId: CommandId;
  /** Absent: it answers a request for a password, whose length is a secret as well. */
  readonly bytes?: number;
  /** No input follows. */
  readonly end?: true;
}

/** The events of the folder `command`. */
export type CommandEvent =
  | CommandRequested
  | CommandAdmitted
  | CommandParsed
  | CommandRejected
  | CommandChanged
  | CommandCancelled
  | CommandSignalled
  | CommandInputWritten;
