import type { TerminalSize } from "../platform/terminal/terminals.ts";
import type { EnvValues } from "./env-values.ts";

/** Names one command for its whole life, and the task that it is seen as from outside. Never a pid, never reused. */
export type CommandId = string;

/** Names one shell session. */
export type SessionId = string;

/** Where a command comes from: the model of an agent, or its user. */
export type Origin = "model" | "user";

/** A part of the command line, in UTF-16 code units: `command.slice(start, end)`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The language of a shell; `shell/` describes each. */
export type DialectName = "bash" | "zsh" | "posix" | "fish" | "powershell";

/** What runs a command: a fresh process, the persistent shell of its session, or a terminal. */
export type ExecutorKind = "process" | "shell" | "terminal";

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
  readonly command: string;
  readonly cwd: string;
  readonly dialect: DialectName;
  readonly origin: Origin;
  /** It runs in the persistent shell of this session; absent: in a fresh process. */
  readonly shell?: {
    readonly sessionId: SessionId;
    /** The shell goes back to its directory afterwards: `cwd` is for this command alone. */
    readonly returns: boolean;
  };
  /** Variables of this command alone, over those of the runtime. */
  readonly env?: EnvValues;
  /** What a persistent shell brings with it; absent: a fresh shell. */
  readonly state?: ShellState;
  readonly limits: Limits;
  /** What fix-ups took from the line that was asked for; absent: nothing. */
  readonly removed?: readonly string[];
  /** Its process is to outlive the host. */
  readonly detach?: true;
  /** It takes input; absent: its standard input is at its end. */
  readonly input?: true;
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

/** A command that the line could run, found anywhere in it. */
export interface SimpleCommand {
  /** The decoded words, the program first; a word known only at run time is `null`. */
  readonly argv: readonly (string | null)[];
  /** Variables set before the program's name; a value known only at run time is `null`. */
  readonly assignments: readonly { readonly name: string; readonly value: string | null }[];
  readonly redirects: readonly Redirect[];
  readonly span: Span;
  /** The command of the line that starts it; absent: the shell itself. */
  readonly startedBy?: StartedBy;
  readonly program: ProgramFacts;
}

/** How one command of a line starts another. */
export interface StartedBy {
  /** Its index in `commands`. */
  readonly command: number;
  /** The name of its program. */
  readonly name: string;
  /** `words`: in its own words; `reading`: one of several readings of its words; `text`: in text for a shell. */
  readonly how: "words" | "reading" | "text";
}

/** What is known of a command's program. */
export interface ProgramFacts {
  /** It has a record. */
  readonly known: boolean;
  /** The words by the name in the record, where they are others: `rm x` for `/bin/rm x`, `git push` for `git -C a push`. */
  readonly as?: readonly (string | null)[];
  readonly dangers?: readonly Danger[];
  /** With these words it only reads. */
  readonly reads?: true;
  /** It only changes files that it names. */
  readonly edits?: true;
  /** A builtin that does nothing outside the shell. */
  readonly inert?: true;
  /** It runs code that the line does not show. */
  readonly runs?: true;
  /** The command in its words does the same without it. */
  readonly transparent?: true;
  /** How many words say what it does. */
  readonly arity?: number;
}

/** A reason to ask although a rule covers the command. */
export interface Danger {
  /** The name by which a policy accepts it. */
  readonly name: string;
  readonly reason: string;
  /** The words that make it dangerous: a rule that spells them covers it. */
  readonly words: readonly string[];
}

/** One use of a path, as far as the line shows. */
export interface PathUse {
  readonly access: "read" | "write";
  /** Absolute and without `.` and `..`; absent: known only at run time. */
  readonly path?: string;
  /** The same with its `..`, which behind a link leads elsewhere; absent: it has none. */
  readonly raw?: string;
  /** It is a pattern, and stands for every file that fits. */
  readonly pattern?: true;
  /** The shell goes there, and nothing runs behind it. */
  readonly last?: true;
  readonly span: Span;
  /** The program that uses it; absent: a redirection. */
  readonly by?: string;
}

/** A variable that the line sets for what comes after it. */
export interface VariableSet {
  readonly name: string;
  readonly value: string | null;
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
  /** Each use of a path with its place in the line. */
  readonly uses?: readonly PathUse[];
  /** Variables that later commands see. */
  readonly sets?: readonly VariableSet[];
  /** Texts in it that a shell reads: of `bash -c`, `eval`, `trap`, backticks with escapes. */
  readonly texts?: readonly string[];
}

/** A command was requested. */
export interface CommandRequested {
  readonly type: "command.requested";
  readonly commandId: CommandId;
  readonly sessionId: SessionId;
  readonly command: string;
  readonly origin: Origin;
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
  /** It takes input; absent: its standard input is at its end. */
  readonly input?: true;
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
