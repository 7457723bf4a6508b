import type { ShellState } from "../../event/command.ts";
import { MARK } from "../../platform/process/mark.ts";
import type { ChannelPaths } from "../../platform/shell/shells.ts";

/** One command for a persistent shell. */
export interface ShellOrder {
  readonly command: string;
  /** Counts the orders of a shell; it is repeated in the report. */
  readonly number: number;
  /** Where the shell reports the end of the command. */
  readonly reports: string;
  /** The pipe that gets its output. */
  readonly output: string;
  /** Marks the processes of the command. */
  readonly mark: string;
  /** What `$?` is before it: the code of the last command. */
  readonly code: number;
  /** Where it is to go before; absent: nowhere. */
  readonly cwd?: string;
  /** Where it is to go afterwards; absent: nowhere. */
  readonly returns?: string;
  /** Variables of this command alone. */
  readonly overrides: Readonly<Record<string, string>>;
}

/** What an interactive shell needs beside an order. */
export interface InteractiveOrder {
  /** What sets the trap on INT that it ignores between commands, as its state has it; absent: there is none. */
  readonly interrupt?: string | undefined;
  /** Absent: the command has pipes. */
  readonly terminal?: TerminalOrder | undefined;
}

/** The terminal that a command has. */
export interface TerminalOrder {
  /** Its path. */
  readonly device: string;
  /** What is printed on it before the command. */
  readonly mark: string;
  /** What was typed and not read is dropped, and the settings are those of a new terminal again. */
  readonly cleared: boolean;
}

/** How an interactive shell is kept on a terminal. */
export interface TerminalDialect {
  readonly args: (channels: ChannelPaths) => readonly string[];
  /** Absent: it needs none. */
  readonly variables?: (channels: ChannelPaths) => Readonly<Record<string, string>>;
  /** The line of the first order, before any command. */
  readonly setUp: string;
}

/** How a shell of some dialect is kept for many commands: pure functions from data to its own language, and back. */
export interface PersistentDialect {
  /** The arguments to start it with where it has no terminal, or why it needs one. */
  readonly start: ((channels: ChannelPaths) => readonly string[]) | string;
  /**
   * The text of the order file.
   *
   * @param more Absent: the shell is not interactive, or gets its first order.
   */
  readonly order: (order: ShellOrder, more?: InteractiveOrder) => string;
  /** Absent: it is not kept on a terminal. */
  readonly terminal?: TerminalDialect;
  /** A line that gives a shell the directory, if it is still there, and the exported variables of another one. */
  readonly restore: (from: { readonly cwd: string; readonly exports: string }) => string;
  /**
   * Read the state of a shell.
   *
   * @param fields The state as the shell wrote it.
   * @param first The first one, before any command: what has not changed since is not reported.
   */
  readonly read: (fields: readonly string[], first: readonly string[]) => ReportedState;
}

/** What a shell has become. */
export interface ReportedState {
  readonly state: ShellState;
  /** Its exported variables, in its own language. */
  readonly exports: string;
  /** What sets its trap on INT again, in its own language; absent: there is none. */
  readonly interrupt?: string | undefined;
}

/** What a shell reports of a command, or of its own end. */
export interface ShellReport {
  /** The command is done, or could not begin; or the shell ends. */
  readonly kind: "done" | "refused" | "last";
  readonly code: number;
  /** Of which order. */
  readonly number: number;
  /** The pid of the last background process, or what the shell shows in its place. */
  readonly background: string;
}

const KINDS: ReadonlyMap<string, ShellReport["kind"]> = new Map([
  ["D", "done"],
  ["N", "refused"],
  ["L", "last"],
]);

/** Read a report, such as `D 0 7 4711`; `undefined` when it is none. */
export function readReport(line: string): ShellReport | undefined {
  const [letter = "", code, number, background = ""] = line.split(" ");
  const kind = KINDS.get(letter);
  return kind && { kind, code: Number(code), number: Number(number), background };
}

/** The directory that a state names, in its fourth field. */
export function placeOf(state: string): string {
  return state.split("\0", 4)[3]?.slice(1) ?? "";
}

/** Whether only the loops have variables and functions of this name; others that begin like it are a command's. */
export function isLoopVariable(name: string): boolean {
  return /^__sf_(?:[a-z]|on|rc)$/.test(name);
}

/** Variables that change with every shell or every command, and change nothing that runs. */
export const OWN: ReadonlySet<string> = new Set([MARK, "PWD", "OLDPWD", "SHLVL", "_"]);
